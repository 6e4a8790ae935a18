export { hasProgram } from './has-program.js';
export { pollUntil } from './poll-until.js';
export { sharedClickHouse } from './shared-clickhouse.js';
export { sharedData } from './shared-data.js';
export { sharedKafka } from './shared-kafka.js';
export { sharedPostgres } from './shared-postgres.js';
export { uniqueName } from './unique-name.js';
