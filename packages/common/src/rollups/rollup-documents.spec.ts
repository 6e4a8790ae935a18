import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { rollupAsyncApi, rollupJsonSchemas } from './rollup-documents.js';
import { yamlOf } from './yaml.js';

const committed = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the committed documents of the rollup topics', () => {
  it.each([...rollupJsonSchemas()])('%s is what the contract says (npm run asyncapi)', (name, text) => {
    expect(committed(`schemas/${name}`)).toBe(text);
  });

  it('docs/asyncapi.yaml is what the contracts say (npm run asyncapi)', () => {
    expect(committed('../../../../docs/asyncapi.yaml')).toBe(rollupAsyncApi());
  });
});

describe('YAML', () => {
  it('nests maps and lists and quotes texts, so that none can be read as something else', () => {
    expect(yamlOf({ a: 'yes', 'b|c': [1, { d: [], e: { f: 'x: y' } }], g: undefined, h: [] })).toBe(
      ['a: "yes"', '"b|c":', '  - 1', '  - d: []', '    e:', '      f: "x: y"', 'h: []', ''].join('\n'),
    );
  });
});
