export * from './amounts.js';
export * from './errors.js';
export * from './statistics.js';
export * from './status.js';
export * from './topics.js';
export * from './watermark.js';
export * from './windows.js';
