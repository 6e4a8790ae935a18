import type { KafkaLogger } from '../../src/index.js';

const nothing = (): void => undefined;

export const silent: KafkaLogger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
