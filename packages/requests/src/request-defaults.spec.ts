import { describe, expect, it } from '@jest/globals';
import { operations } from '@jetton-analytics/common';
import { readRequest } from './read-request.js';

const path = { address: `0:${'a'.repeat(64)}` };

describe('a parameter of one jetton', () => {
  it.each([
    ['getJettonMarkets', 'limit', 20],
    ['getJettonTransactions', 'limit', 20],
    ['getJettonMetrics', 'currency', 'ton'],
    ['getJettonPrice', 'currency', 'ton'],
    ['getJettonLiquidity', 'currency', 'ton'],
    ['getJettonPriceChart', 'resolution', 'hour1'],
    ['getJettonPriceChart', 'currency', 'ton'],
    ['getJettonPriceChart', 'gapFill', false],
  ])('%s takes %s as %s where it is not asked', (id, name, value) => {
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new RangeError(`no operation ${id}`);
    const { values } = readRequest(operation, { url: '/x' }, { network: 'mainnet', path });
    expect(values).toHaveProperty(name, value);
  });
});
