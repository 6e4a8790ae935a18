import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import {
  ChartResolution,
  Currency,
  listRequest,
  operations,
  Order,
  type Parameter,
  PreviewColor,
  PreviewMetric,
  PreviewPeriod,
  SortField,
  TransactionType,
  Verification,
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
    ['Resolution', ChartResolution.options],
    ['Transaction type', TransactionType.options],
    ['Metric of a preview', PreviewMetric.options],
    ['Period of a preview', PreviewPeriod.options],
    ['Color of a preview', PreviewColor.options],
    ['Windows-A', WindowsA.options],
    ['Windows-B', WindowsB.options],
    ['Windows-C', WindowsC.options],
  ])('leaves out no %s of the contracts and adds none', (what, values) => {
    expect(valuesOf(what).toSorted()).toEqual(values.toSorted());
  });

  it.each(operations)('leaves out no parameter of $id and adds none', ({ id, request, pathParameters }) => {
    // Those of the lists are the same everywhere, and stand in a table of their own.
    const own = 'sort' in request ? [] : Object.keys(request);
    expect(valuesOf(`parameter of \`${id}\``).toSorted()).toEqual([...Object.keys(pathParameters), ...own].toSorted());
  });

  it.each(operations)('names every default of $id', ({ id, request }) => {
    const isList = 'sort' in request;
    for (const [name, parameter] of Object.entries<Parameter>(request)) {
      if (!('default' in parameter) || parameter.default === undefined) continue;
      const where = isList ? '' : ` in \`${id}\``;
      expect([name, valuesOf(`default of \`${name}\`${where}`)]).toEqual([name, [String(parameter.default)]]);
    }
  });

  it('names tests that run for every value of theirs', () => {
    expect(sortFields.toSorted()).toEqual(SortField.options.toSorted());
    const filters = Object.keys(listRequest).filter((name) => !/^(limit|cursor|sort|order|currency)$/.test(name));
    expect(filterNames).toEqual(expect.arrayContaining(filters));
    expect(filterNames).toEqual(expect.arrayContaining(Verification.options.map((one) => `verification ${one}`)));
  });
});
