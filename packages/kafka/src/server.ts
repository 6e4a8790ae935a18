// Apart from the rest, so that programs that only produce or administer need not load Nest.
export { ConsumesTopic } from './batch-handler.js';
export { KafkaBatchServer } from './batch-server.js';
