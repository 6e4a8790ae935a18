export * from './client.js';
export * from './definitions.js';
export * from './errors.js';
export * from './jetton-spans.js';
export * from './migrate.js';
export * from './row-binary-reader.js';
export * from './row-binary.js';
export * from './settings.js';
