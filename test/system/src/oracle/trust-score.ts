import type { Amount } from './change.js';

export interface TrustPart {
  readonly part: string;
  readonly points: number;
}

export interface TrustInputs {
  readonly verification: string;
  readonly liquidityUsd: Amount | undefined;
  readonly holders: bigint;
  readonly traders24h: bigint;
  readonly ageSeconds: number;
  readonly isStandardCode: boolean;
  readonly isKnownNotMintable: boolean;
  readonly topTen: bigint;
  readonly circulatingSupply: bigint;
}

const verdictPoints: Readonly<Record<string, number>> = {
  JVS_VERIFIED: 25,
  JVS_COMMUNITY_VERIFIED: 20,
  JVS_APPROVED: 15,
};

/** full × clamp(a / b, 0, 1) in hundredths, half up; exact. */
function share(full: bigint, a: bigint, b: bigint): number {
  if (a <= 0n) return 0;
  const clamped = a > b ? b : a;
  return Number((2n * 100n * full * clamped + b) / (2n * b));
}

/** full × clamp(log10(x) / 4, 0, 1) in hundredths, half up. A double is far finer than the distance to any half met. */
const logarithmic = (full: number, x: number): number =>
  x > 0 ? Math.floor(100 * full * Math.min(1, Math.max(0, Math.log10(x) / 4)) + 0.5) : 0;

/** docs/statistics.md, "trustScore, version 1". */
export function trustScoreOf(inputs: TrustInputs): { score: number; parts: TrustPart[] } {
  const { verification, liquidityUsd, circulatingSupply, topTen } = inputs;
  const usd = liquidityUsd === undefined ? 0 : Number(BigInt(liquidityUsd.value)) / 10 ** liquidityUsd.decimals;
  const contract = (inputs.isStandardCode ? 500 : 0) + (inputs.isKnownNotMintable ? 500 : 0);
  const isSpread = topTen > 0n && circulatingSupply > 0n;
  const hundredths: Record<string, number> = {
    verification: 100 * (verdictPoints[verification] ?? 0),
    liquidity: logarithmic(25, usd / 100),
    holders: logarithmic(15, Number(inputs.holders) / 10),
    activity: share(10n, inputs.traders24h, 200n),
    age: share(10n, BigInt(inputs.ageSeconds), 180n * 86_400n),
    contract,
    concentration: isSpread ? share(5n, circulatingSupply - topTen, circulatingSupply) : 0,
  };
  const sum = Object.values(hundredths).reduce((total, one) => total + one, 0);
  return {
    score: verification === 'JVS_SCAM' ? 0 : Math.floor((sum + 50) / 100),
    parts: Object.entries(hundredths).map(([part, points]) => ({ part, points: points / 100 })),
  };
}
