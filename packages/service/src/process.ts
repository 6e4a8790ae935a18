// What every program needs, apart from the HTTP server: one that serves nothing need not load Nest.
export { Clock, pause, systemClock } from './clock.js';
export { DomainError, invalidArgument, type DomainErrorOptions, type Violation } from './domain-error.js';
export { loadSettings, SettingsError, settingsOrExit, type SettingProblem } from './load-settings.js';
export { createLogger, type Logger, type LoggerOptions } from './logging.js';
export { integerSetting, portSetting, serviceSettings, type ServiceSettings } from './settings.js';
