import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const {
  sourceMaps: _sourceMaps,
  $schema: _schema,
  ...swc
} = JSON.parse(readFileSync(new URL('./.swcrc', import.meta.url), 'utf8'));

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'ts', 'json', 'node'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'] },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false, sourceMaps: 'inline' }] },
  // x.spec.ts is pure, x.int.spec.ts uses one real dependency, x.e2e-spec.ts drives an app or the whole stack.
  testMatch: [
    '<rootDir>/{src,test}/**/*.spec.ts',
    '<rootDir>/{src,test}/**/*.e2e-spec.ts',
    '<rootDir>/*.e2e-spec.ts',
    '<rootDir>/*.spec.ts',
  ],
  setupFiles: [fileURLToPath(new URL('./jest.setup.mjs', import.meta.url))],
  globalSetup: fileURLToPath(new URL('./packages/testing/jest/global-setup.mjs', import.meta.url)),
  globalTeardown: fileURLToPath(new URL('./packages/testing/jest/global-teardown.mjs', import.meta.url)),
  watchman: false,
  // A deadline against hanging, not a claim about speed: the machine may be busy.
  testTimeout: 180_000,
};
