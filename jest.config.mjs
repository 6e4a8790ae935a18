import { existsSync, readdirSync } from 'node:fs';
import base from './jest.config.base.mjs';

const { watchman, testTimeout, ...project } = base;
const workspaces = ['packages', 'apps'].flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`));

/** @type {import('jest').Config} */
export default {
  watchman,
  testTimeout,
  // The stores and the apps under test run beside the workers, and wait more than they work.
  maxWorkers: '100%',
  testSequencer: './packages/testing/jest/longest-first.mjs',
  projects: [...workspaces, 'test/system']
    .filter((dir) => existsSync(`${dir}/package.json`))
    .map((dir) => ({ ...project, displayName: dir.split('/')[1], rootDir: `<rootDir>/${dir}` })),
};
