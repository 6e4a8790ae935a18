import { hash } from 'node:crypto';

/** The zero address, as some exchanges write native, and the wrapped forms that others write. */
export const nativeZeroAddress = `0:${'0'.repeat(64)}`;
export const wrappedNativeAddress = '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C';
export const wrappedNativeV2Address = '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3';
export const usdtAddress = '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE';
export const lsdAddress = '0:BDF3FA8098D129B54B4F73B5BAC5D1E1FD91EB054169C3916DFC8CCD536D1000';

/** When a jetton trades: from its birth to its end, with a sleep in each period if it has one. */
export interface Presence {
  readonly bornMs: number;
  readonly endMs: number;
  readonly periodMs: number;
  /** Share of the period it is awake; 1 is always. */
  readonly awakeShare: number;
  readonly phaseMs: number;
}

export interface Asset {
  readonly index: number;
  /** Raw upper-case, as the feed writes it; native has a form per exchange instead. */
  readonly address: string;
  readonly kind: 'native' | 'stable' | 'lsd' | 'jetton';
  readonly decimals: number;
  readonly name: string;
  readonly symbol: string;
  /** Price in whole TON of one whole unit at the start. */
  readonly initialPriceTon: number;
  /** Deviation of the logarithm of the price over a day. */
  readonly dailyVolatility: number;
  /** Median worth of a trade in usd. */
  readonly medianTradeUsd: number;
  readonly presence: Presence;
  /** Whole units. */
  readonly supply: number;
  readonly holders: number;
}

export const nativeIndex = 0;
export const usdtIndex = 1;
export const lsdIndex = 2;
export const firstJettonIndex = 3;
/** usd of one TON when the market begins. */
export const initialTonUsd = 3.2;

/** A raw upper-case address that nobody holds: the SHA-256 of what it stands for. */
export function inventedAddress(seed: number, what: string): string {
  return `0:${hash('sha256', `simulated market ${seed} ${what}`, 'hex').toUpperCase()}`;
}

/** 32 invented bytes in base64, as hashes are written in the feed. */
export function inventedHash(seed: number, what: string): string {
  return hash('sha256', `simulated market ${seed} ${what}`, 'base64');
}

export function isAwake({ bornMs, endMs, periodMs, awakeShare, phaseMs }: Presence, timeMs: number): boolean {
  if (timeMs < bornMs || timeMs >= endMs) return false;
  return awakeShare >= 1 || (timeMs + phaseMs) % periodMs < awakeShare * periodMs;
}
