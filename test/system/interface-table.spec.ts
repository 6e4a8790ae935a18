import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import {
  addressesRequest,
  Currency,
  listRequest,
  operations,
  Order,
  SortField,
  Verification,
  volumeChangeRequest,
  WindowsA,
  WindowsB,
  WindowsC,
} from '@jetton-analytics/common';
import { filterNames, sortFields } from './src/support/list-cases.js';
import { missingTests } from './src/support/named-tests.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Row {
  readonly what: string;
  readonly value: string;
  readonly file: string;
  readonly title: string;
}

const rows = readFileSync(`${root}docs/interface.md`, 'utf8')
  .split('\n')
  .flatMap((line): Row[] => {
    const match = /^\| (.+?) \| (.+?) \| `(.+?)` › (.+) \|$/.exec(line);
    if (match === null) return [];
    const [, what = '', value = '', file = '', title = ''] = match;
    return [{ what, value: value.replaceAll('`', ''), file, title }];
  });

const valuesOf = (what: string) => rows.filter((row) => row.what === what).map(({ value }) => value);

describe('the table of what is tested where', () => {
  it('has a row for every line of a table', () => {
    const text = readFileSync(`${root}docs/interface.md`, 'utf8');
    const lines = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what |'));
    expect(rows).toHaveLength(lines.length);
    expect(rows.length).toBeGreaterThan(150);
  });

  it('names tests that exist', () => {
    expect(missingTests(root, rows)).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['operation', operations.map(({ id }) => id)],
    ['parameter', Object.keys(listRequest)],
    ['Currency', Currency.options],
    ['Sort field', SortField.options],
    ['Order', Order.options],
    ['Verification', Verification.options],
    ['Windows-A', WindowsA.options],
    ['Windows-B', WindowsB.options],
    ['Windows-C', WindowsC.options],
    ['parameter of `getTransactionsChange`', Object.keys(addressesRequest)],
    ['parameter of `getTradingVolumeChangeList`', Object.keys(volumeChangeRequest)],
  ])('leaves out no %s of the contracts and adds none', (what, values) => {
    expect(valuesOf(what).toSorted()).toEqual(values.toSorted());
  });

  it('names every default of the contracts', () => {
    const defaults = Object.entries(listRequest).flatMap(([name, parameter]) =>
      'default' in parameter ? [[name, [String(parameter.default)]]] : [],
    );
    expect(defaults.length).toBeGreaterThan(4);
    for (const [name, value] of defaults)
      expect([name, valuesOf(`default of \`${String(name)}\``)]).toEqual([name, value]);
  });

  it('names tests that run for every value of theirs', () => {
    expect(sortFields.toSorted()).toEqual(SortField.options.toSorted());
    const filters = Object.keys(listRequest).filter((name) => !/^(limit|cursor|sort|order|currency)$/.test(name));
    expect(filterNames).toEqual(expect.arrayContaining(filters));
    expect(filterNames).toEqual(expect.arrayContaining(Verification.options.map((one) => `verification ${one}`)));
  });
});
