import { z } from 'zod';
import { Timestamp } from './amounts.js';

export const TrustScorePart = z
  .object({
    part: z
      .enum(['verification', 'liquidity', 'holders', 'activity', 'age', 'contract', 'concentration'])
      .meta({ description: 'What the points are for.' }),
    points: z.number().min(0).max(25).meta({ description: 'Points, rounded to two decimals.' }),
    reason: z.string().meta({ description: 'What the points rest on.' }),
  })
  .meta({ id: 'TrustScorePart', description: 'One part of a trust score.' });
export type TrustScorePart = z.infer<typeof TrustScorePart>;

export const TrustScoreDetails = z
  .object({
    version: z.int().meta({ description: 'Version of the formula.' }),
    parts: z.array(TrustScorePart).meta({ description: 'The parts whose sum is the score.' }),
  })
  .meta({ id: 'TrustScoreDetails', description: 'How a trust score comes about.' });
export type TrustScoreDetails = z.infer<typeof TrustScoreDetails>;

/** `GET /v1/jettons/{address}/trust-score`. */
export const JettonTrustScore = z
  .object({
    score: z.int().min(0).max(100).meta({ description: 'Trust score, 0 to 100.' }),
    updatedAt: Timestamp.meta({ description: 'Instant of the figures it is made of.' }),
    version: z.int().meta({ description: 'Version of the formula.' }),
    parts: z.array(TrustScorePart).meta({ description: 'The parts whose sum is the score.' }),
  })
  .meta({ id: 'JettonTrustScore', description: 'Trust score of one jetton with its parts.' });
export type JettonTrustScore = z.infer<typeof JettonTrustScore>;
