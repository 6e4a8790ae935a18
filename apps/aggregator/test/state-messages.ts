import { type FeedMessage, type StateMessage, type StateOutcome } from '@jetton-analytics/feed';
import { address } from './feed-messages.js';

/** A message of the pools topic; what is not given is plain and valid. */
export function poolMessage(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    pool: address('pool'),
    project: 'stonfi',
    version: '2',
    discovered_at: 1_767_225_600,
    jetton_left: address('jetton'),
    jetton_right: `0:${'0'.repeat(64)}`,
    reserves_left: '5000000',
    reserves_right: '7000000',
    total_supply: '9',
    tvl_usd: '12.5',
    tvl_ton: '4',
    last_updated: 1_767_312_000,
    is_liquid: true,
    lp_fee: '0.003',
    protocol_fee: null,
    referral_fee: null,
    ...fields,
  };
}

/** A message of the balances topic. */
export function balanceMessage(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    address: address('owner'),
    asset: address('jetton'),
    amount: '1000',
    mintless_claimed: null,
    timestamp: 1_767_312_000,
    lt: 50_000_000_000_001,
    ...fields,
  };
}

/** A message of the metadata topic. */
export function metadataMessage(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    address: address('jetton'),
    update_time_onchain: 1_767_225_600,
    update_time_metadata: 1_767_312_000,
    mintable: false,
    admin_address: null,
    code_hash: Buffer.alloc(32, 7).toString('base64'),
    symbol: 'JET',
    name: 'Jetton',
    description: 'A jetton.',
    image: 'https://images.example/1.png',
    decimals: 9,
    sources: { symbol: 'onchain' },
    tonapi_image_url: 'https://images.example/1.webp',
    ...fields,
  };
}

/** The message as its parser takes it. Throws where it is not accepted. */
export function stateOf<State extends StateMessage>(
  parse: (message: FeedMessage) => StateOutcome<State>,
  message: Readonly<Record<string, unknown>>,
  timestampMs: number,
): State {
  const outcome = parse({ value: Buffer.from(JSON.stringify(message)), timestampMs });
  if (outcome.kind !== 'state') throw new Error(`not accepted: ${JSON.stringify(outcome)}`);
  return outcome.state;
}
