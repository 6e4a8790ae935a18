export { pollUntil } from './poll-until.js';
export { sharedData } from './shared-data.js';
export { sharedKafka } from './shared-kafka.js';
export { uniqueName } from './unique-name.js';
