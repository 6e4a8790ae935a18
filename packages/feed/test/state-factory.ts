import { jettonA, poolA, timestampMs, traderA, zeroAddress } from './factory.js';

/** Fields of good messages of the state topics as JSON text, so that a test can write a number exactly as it likes. */
type JsonFields = Readonly<Record<string, string>>;

const seconds = String(Math.floor(timestampMs / 1000));
export const codeHash = 'tDPRXvCP/DXJNuumo/O0Uec0TVS+z24qCTXab9O/iI0=';

export const goodPool: JsonFields = {
  pool: JSON.stringify(poolA),
  project: '"stonfi"',
  version: '2',
  discovered_at: seconds,
  jetton_left: JSON.stringify(jettonA),
  jetton_right: JSON.stringify(zeroAddress),
  reserves_left: '"1000"',
  reserves_right: '"2000"',
  total_supply: '"3000"',
  tvl_usd: '"12.5"',
  tvl_ton: '"3.25"',
  last_updated: seconds,
  is_liquid: 'true',
  lp_fee: '"0.003"',
  protocol_fee: '0.001',
  referral_fee: 'null',
};

export const goodBalance: JsonFields = {
  address: JSON.stringify(traderA),
  asset: JSON.stringify(jettonA),
  amount: '"1000"',
  mintless_claimed: 'null',
  timestamp: seconds,
  lt: '50000000000001',
};

export const goodMetadata: JsonFields = {
  address: JSON.stringify(jettonA),
  update_time_onchain: seconds,
  update_time_metadata: 'null',
  mintable: 'true',
  admin_address: JSON.stringify(traderA),
  code_hash: JSON.stringify(codeHash),
  symbol: '"JET"',
  name: '"Jetton"',
  description: '"A jetton."',
  image: '"https://images.example/1.png"',
  decimals: '9',
  tonapi_image_url: '"https://images.example/1.webp"',
  total_supply: '"1E+9"',
  offchain_image: 'null',
  offchain_description: '"off"',
  admin_offchain_address: 'null',
  links: '[{"name":"site","url":"https://jetton.example","type":"website"}]',
  created_at: '1700000000',
};

/** The message's bytes with some fields replaced by other JSON text, or removed. */
export function messageOf(good: JsonFields, changes: Readonly<Record<string, string | undefined>> = {}): Buffer {
  const members = Object.entries({ ...good, ...changes }).flatMap(([key, value]) =>
    value === undefined ? [] : [`${JSON.stringify(key)}:${value}`],
  );
  return Buffer.from(`{${members.join(',')}}`);
}
