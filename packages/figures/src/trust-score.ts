import type { AmountText } from './amounts.js';
import { decimalText } from './decimal-text.js';
import { logPoints } from './log-points.js';
import { rationalOf, scaledOf } from './rational.js';

export const trustScoreVersion = 1;

export type TrustPartName =
  | 'verification'
  | 'liquidity'
  | 'holders'
  | 'activity'
  | 'age'
  | 'contract'
  | 'concentration';

export interface TrustPart {
  readonly part: TrustPartName;
  /** Points with at most 2 decimals; the nearest float, which JSON.stringify writes with just those. */
  readonly points: number;
  readonly reason: string;
}

export interface TrustScore {
  readonly version: number;
  /** 0 to 100. */
  readonly score: number;
  readonly parts: readonly TrustPart[];
}

export interface TrustInputs {
  readonly verification: 'JVS_NONE' | 'JVS_APPROVED' | 'JVS_COMMUNITY_VERIFIED' | 'JVS_VERIFIED' | 'JVS_SCAM';
  /** As emitted. */
  readonly liquidityUsd: AmountText | undefined;
  readonly holders: bigint | undefined;
  /** Traders of the day window, as emitted. */
  readonly traders24h: bigint | undefined;
  /** C of the hour window, Unix seconds. */
  readonly atSeconds: number;
  /** Unix seconds. */
  readonly createdAtSeconds: number | undefined;
  /** Whether code_hash is in the list of standard minters; undefined: code_hash is not known. */
  readonly isStandardCode: boolean | undefined;
  readonly mintable: boolean | undefined;
  /** Sum of the ten greatest balances that are not of burn addresses, raw units; undefined: balances are unknown. */
  readonly topTenBalances: bigint | undefined;
  readonly circulatingSupply: bigint;
}

interface Part {
  readonly hundredths: number;
  readonly reason: string;
}

const verificationHundredths = {
  JVS_VERIFIED: 2_500,
  JVS_COMMUNITY_VERIFIED: 2_000,
  JVS_APPROVED: 1_500,
  JVS_NONE: 0,
  JVS_SCAM: 0,
} as const;
const liquidityFull = 2_500;
const liquidityFloorUsd = 100n;
const holdersFull = 1_500;
const holdersFloor = 10n;
const activityFull = 1_000n;
const activityTraders = 200n;
const ageFull = 1_000n;
const ageSeconds = 180n * 86_400n;
const contractHundredths = 500;
const concentrationFull = 500n;

/** full × clamp(numerator / denominator, 0, 1), rounded half up; denominator > 0. */
function clampedShare(full: bigint, numerator: bigint, denominator: bigint): number {
  if (numerator <= 0n) return 0;
  if (numerator >= denominator) return Number(full);
  return Number((2n * full * numerator + denominator) / (2n * denominator));
}

function liquidityPart(amount: AmountText | undefined): Part {
  if (amount === undefined) return { hundredths: 0, reason: 'liquidity is not known' };
  const usd = scaledOf(amount);
  const { numerator, denominator } = rationalOf(usd);
  return {
    hundredths: logPoints({ numerator, denominator: denominator * liquidityFloorUsd }, liquidityFull),
    reason: `liquidity is ${decimalText(usd.value, usd.decimals)} usd`,
  };
}

function holdersPart(holders: bigint | undefined): Part {
  if (holders === undefined) return { hundredths: 0, reason: 'holders are not known' };
  return {
    hundredths: logPoints({ numerator: holders, denominator: holdersFloor }, holdersFull),
    reason: `${holders} holders`,
  };
}

function activityPart(traders: bigint | undefined): Part {
  const count = traders ?? 0n;
  return {
    hundredths: clampedShare(activityFull, count, activityTraders),
    reason: `${count} traders in 24 hours`,
  };
}

function agePart(atSeconds: number, createdAtSeconds: number | undefined): Part {
  if (createdAtSeconds === undefined) return { hundredths: 0, reason: 'creation is not known' };
  const age = BigInt(atSeconds) - BigInt(createdAtSeconds);
  const days = age > 0n ? age / 86_400n : 0n;
  return { hundredths: clampedShare(ageFull, age, ageSeconds), reason: `created ${days} whole days ago` };
}

function contractPart(isStandardCode: boolean | undefined, mintable: boolean | undefined): Part {
  const code = isStandardCode === undefined ? 'not known' : isStandardCode ? 'standard' : 'not standard';
  const minting = mintable === undefined ? 'not known to be impossible' : mintable ? 'possible' : 'impossible';
  return {
    hundredths: (isStandardCode === true ? contractHundredths : 0) + (mintable === false ? contractHundredths : 0),
    reason: `code is ${code}, further minting is ${minting}`,
  };
}

function concentrationPart(topTen: bigint | undefined, circulating: bigint): Part {
  // A sum of 0 is an input of 0: nobody is known to hold any.
  if (topTen === undefined || topTen === 0n) return { hundredths: 0, reason: 'balances are not known' };
  if (circulating === 0n) return { hundredths: 0, reason: 'nothing circulates' };
  const hundredthsOfPercent = (topTen * 10_000n) / circulating;
  return {
    hundredths: clampedShare(concentrationFull, circulating - topTen, circulating),
    reason: `the ten greatest balances are ${decimalText(hundredthsOfPercent, 2)} % of what circulates`,
  };
}

/**
 * trustScore, version 1: the sum of its parts, each rounded half up to 2 decimals, then the sum half up; JVS_SCAM makes
 * the whole score 0 and leaves the other parts as they are. The same digits on every machine.
 * Throws SyntaxError for an amount that is none. Source: docs/statistics.md, "trustScore, version 1".
 */
export function trustScoreOf(inputs: TrustInputs): TrustScore {
  const { verification } = inputs;
  const isScam = verification === 'JVS_SCAM';
  const parts: Record<TrustPartName, Part> = {
    verification: {
      hundredths: verificationHundredths[verification],
      reason: isScam ? 'JVS_SCAM: the whole score is 0' : verification,
    },
    liquidity: liquidityPart(inputs.liquidityUsd),
    holders: holdersPart(inputs.holders),
    activity: activityPart(inputs.traders24h),
    age: agePart(inputs.atSeconds, inputs.createdAtSeconds),
    contract: contractPart(inputs.isStandardCode, inputs.mintable),
    concentration: concentrationPart(inputs.topTenBalances, inputs.circulatingSupply),
  };
  const sum = Object.values(parts).reduce((total, { hundredths }) => total + hundredths, 0);
  return {
    version: trustScoreVersion,
    score: isScam ? 0 : Math.floor((sum + 50) / 100),
    parts: (Object.entries(parts) as [TrustPartName, Part][]).map(([part, { hundredths, reason }]) => ({
      part,
      points: hundredths / 100,
      reason,
    })),
  };
}
