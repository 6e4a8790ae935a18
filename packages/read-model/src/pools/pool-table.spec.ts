import { describe, expect, it } from '@jest/globals';
import { poolState } from '../../test/pool-state.js';
import { PoolTable } from './pool-table.js';

describe('PoolTable', () => {
  it('keeps the greatest version of a pool in whatever order and however often its states come', () => {
    const table = new PoolTable();
    const told: bigint[] = [];
    table.onChange(({ version }) => told.push(version));
    const newest = poolState({ version: 3n, project: 'stonfi' });
    table.apply([poolState({ version: 2n }), newest, poolState({ version: 1n }), newest]);
    expect([table.state(newest.pool)?.project, told]).toEqual(['stonfi', [2n, 3n]]);
  });

  it('knows the pools of an asset by the newest states alone', () => {
    const table = new PoolTable();
    table.apply([poolState({ pool: 'p', leftAsset: 'x' }), poolState({ pool: 'q', leftAsset: 'x' })]);
    expect([...table.statesOf('x').keys()]).toEqual(['p', 'q']);
    table.apply([poolState({ pool: 'p', version: 2n, leftAsset: 'y', rightAsset: '' })]);
    expect([[...table.statesOf('x').keys()], [...table.statesOf('y').keys()], [...table.statesOf('').keys()]]).toEqual([
      ['q'],
      ['p'],
      [],
    ]);
    expect([...table.statesOf('ton').keys()]).toEqual(['q']);
  });
});
