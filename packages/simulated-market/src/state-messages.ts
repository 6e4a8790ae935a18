import type { Asset } from './assets.js';
import { inventedAddress, inventedHash, nativeZeroAddress } from './assets.js';
import type { Reserves } from './constant-product.js';
import { volumeText } from './decimal-text.js';
import type { Pool } from './invent-pools.js';

/** State of a pool; `tvlTon` in whole TON. */
export function poolText(pool: Pool, reserves: Reserves, tvlTon: number, tonUsd: number, timeMs: number): string {
  const { project, version, feeBps } = pool.exchange;
  const shares = Math.floor(Math.sqrt(Number(reserves.left)) * Math.sqrt(Number(reserves.right)));
  return JSON.stringify({
    pool: pool.address,
    project,
    version,
    discovered_at: seconds(pool.bornMs),
    jetton_left: pool.leftAddress,
    jetton_right: pool.rightAddress,
    reserves_left: String(reserves.left),
    reserves_right: String(reserves.right),
    total_supply: String(BigInt(shares)),
    tvl_usd: pool.statesTvl ? volumeText(tvlTon * tonUsd) : null,
    tvl_ton: pool.statesTvl ? volumeText(tvlTon) : null,
    last_updated: seconds(timeMs),
    is_liquid: pool.index % 7 === 3 ? null : tvlTon * tonUsd > 100,
    lp_fee: String(feeBps / 10_000),
    protocol_fee: pool.index % 2 === 0 ? '0.001' : null,
    referral_fee: null,
  });
}

/** Metadata of a jetton: `edition` counts its updates, which change the description. */
export function metadataText(seed: number, asset: Asset, edition: number, timeMs: number): string {
  const fromChain = asset.index % 2 === 0;
  const source = fromChain ? 'onchain' : 'offchain';
  const saysDecimals = asset.decimals !== 9 || asset.index % 6 !== 0;
  const extensions =
    asset.index % 10 < 7
      ? {
          total_supply: wholeUnits(asset.supply, asset.decimals),
          links: [{ name: 'site', url: `https://jetton-${asset.index}.example`, type: 'website' }],
          created_at: seconds(asset.presence.bornMs),
        }
      : {};
  return JSON.stringify({
    address: asset.address,
    update_time_onchain: seconds(asset.presence.bornMs),
    update_time_metadata: seconds(timeMs),
    mintable: asset.index % 3 === 0,
    admin_address: adminOf(seed, asset),
    jetton_content_onchain: fromChain ? { name: asset.name, symbol: asset.symbol } : null,
    jetton_wallet_code_hash: inventedHash(seed, `wallet code ${asset.index % 5}`),
    code_hash: inventedHash(seed, `minter code ${asset.index % 4}`),
    metadata_status: 1,
    symbol: asset.symbol,
    name: asset.name,
    description: `A jetton of the simulated market, edition ${edition}.`,
    image: asset.index % 4 === 1 ? null : `https://images.example/simulated/${asset.index}.png`,
    image_data: null,
    decimals: !saysDecimals ? null : asset.index % 8 === 5 ? String(asset.decimals) : asset.decimals,
    sources: { symbol: source, name: source, description: source, image: source, image_data: '', decimals: source },
    tonapi_image_url: `https://images.example/cache/${asset.index}.webp`,
    ...extensions,
  });
}

/** Balance of an owner; the logical time grows with the instant and `order`. */
export function balanceText(owner: string, asset: Asset, raw: bigint, timeMs: number, order: number): string {
  return JSON.stringify({
    address: owner,
    asset: asset.kind === 'native' ? 'TON' : asset.address,
    amount: String(raw),
    mintless_claimed: null,
    timestamp: seconds(timeMs),
    lt: timeMs * 1000 + (order % 1000),
  });
}

/** A number of whole units in raw ones, exact. */
function wholeUnits(units: number, decimals: number): string {
  return String(BigInt(units) * 10n ** BigInt(decimals));
}

function adminOf(seed: number, asset: Asset): string | null {
  if (asset.index % 5 === 0) return null;
  return asset.index % 5 === 1 ? nativeZeroAddress : inventedAddress(seed, `admin ${asset.index}`);
}

function seconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}
