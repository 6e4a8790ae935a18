export * from './process.js';
export { createHealthServer, type HealthServer } from './health-server.js';
export { Health, type Check, type CheckResult, type HealthReport } from './health.js';
export { createHttpApp, type HttpApp, type HttpAppOptions } from './http-app.js';
export type { TrustProxy } from './http-server.js';
export { runHttpApp, runMain, type MainOptions, type Running } from './run-main.js';
export { readQuery, unknownParameters, type QueryParameter } from './query.js';
export { sendBytes, type BytesAnswer } from './send-bytes.js';
export { LOGGER, SERVER, SETTINGS } from './service.module.js';
