import type { RequestContract } from '@jetton-analytics/common';
import { readQuery, unknownParameters } from '@jetton-analytics/service';
import { leavesOf, type Given } from './given.js';
import type { Value } from './values.js';
import type { Violations } from './violations.js';

/**
 * What a query carries. Arrays are repeated or separated by commas, an empty one is no element; anything else may come
 * once. Source: docs/http-api.md, "Encoding".
 */
export function givenByQuery(url: string, request: RequestContract, violations: Violations): Given {
  const leaves = leavesOf(request);
  const query = readQuery(url);
  violations.addAll(query.violations);
  const isKnown = query.parameters.every(({ name }) => leaves.has(name));
  if (!isKnown) violations.addAll(unknownParameters(query.parameters, [...leaves.keys()]));
  const occurrences = new Map<string, string[]>();
  for (const { name, value } of query.parameters) {
    const known = occurrences.get(name);
    if (known === undefined) occurrences.set(name, [value]);
    else known.push(value);
  }
  const given = new Map<string, Value>();
  for (const [name, { isArray }] of leaves) {
    const [first, ...more] = occurrences.get(name) ?? [];
    if (first === undefined) continue;
    if (isArray) given.set(name, { type: 'array', items: elementsOf([first, ...more]) });
    else if (more.length > 0) violations.add(name, 'DUPLICATE', 'must be given once');
    else given.set(name, { type: 'text', value: first });
  }
  return given;
}

function elementsOf(values: readonly string[]): Value[] {
  return values
    .filter((value) => value !== '')
    .flatMap((value) => value.split(','))
    .map((value) => ({ type: 'text', value }));
}
