import { z } from 'zod';
import { Amount, Int64Text, RawAddress, Timestamp } from './amounts.js';
import { AddressBook, Missing, NextCursor } from './books.js';
import { LinkType, PreviewColor, PreviewMetric, PreviewPeriod, Verification } from './enums.js';
import { TrustScoreDetails } from './trust-score.js';

export const JettonLink = z
  .object({
    name: z.string().meta({ description: 'Text of the link.' }),
    url: z.string().meta({ description: 'Where it leads.' }),
    type: LinkType,
  })
  .meta({ id: 'JettonLink', description: 'A link of the jetton’s makers.' });
export type JettonLink = z.infer<typeof JettonLink>;

export const ChartPreview = z
  .object({
    url: z.string().meta({ description: 'Address of an SVG image.' }),
    metric: PreviewMetric,
    period: PreviewPeriod,
    color: PreviewColor,
  })
  .meta({ id: 'ChartPreview', description: 'A small chart of the jetton as an image.' });
export type ChartPreview = z.infer<typeof ChartPreview>;

export const JettonMetadata = z
  .object({
    address: RawAddress,
    name: z.string().meta({ description: 'Name; empty where it is not known.' }),
    symbol: z.string().meta({ description: 'Symbol; empty where it is not known.' }),
    decimals: z.int().min(0).max(255).meta({ description: 'Decimals of the jetton’s raw amounts.' }),
    image: z.string().optional().meta({ description: 'URL of the image; absent where it is not known.' }),
    description: z.string().optional().meta({ description: 'Description; absent where it is not known.' }),
    offchainImage: z.string().optional().meta({ description: 'URL of an image kept off chain; absent where unknown.' }),
    offchainDescription: z
      .string()
      .optional()
      .meta({ description: 'Description kept off chain; absent where unknown.' }),
    links: z.array(JettonLink).meta({ description: 'Links; empty where there are none.' }),
    createdAt: Timestamp.meta({ description: 'When the jetton was made, or first seen.' }),
  })
  .meta({ id: 'JettonMetadata', description: 'What a jetton says of itself.' });
export type JettonMetadata = z.infer<typeof JettonMetadata>;

export const JettonAdmin = z
  .object({
    address: RawAddress.optional(),
    offchainAddress: z
      .string()
      .optional()
      .meta({ description: 'Administrator’s address as told off chain; absent where unknown.' }),
  })
  .meta({ id: 'JettonAdmin', description: 'The administrator; absent where there is none or it is not known.' });
export type JettonAdmin = z.infer<typeof JettonAdmin>;

const jettonShape = {
  metadata: JettonMetadata,
  admin: JettonAdmin.optional(),
  totalSupply: Int64Text.meta({ description: 'Supply in raw units; `"0"` where nothing is known of it.' }),
  mintable: z.boolean().meta({ description: 'Whether more can be minted; false where it is not known.' }),
  modifiedContract: z
    .boolean()
    .meta({ description: 'Whether the code is known and none of the standard ones; false where it is not known.' }),
  verification: Verification,
  price: Amount.optional().meta({ description: 'Price in ton; absent where there is none.' }),
  priceUsd: Amount.optional().meta({ description: 'Price in usd; absent where there is none.' }),
  holdersCount: Int64Text.meta({ description: 'Wallets that hold the jetton, burn addresses excluded.' }),
  liquidityUsd: Amount.optional().meta({
    description: 'Liquidity in usd over all pools; absent where it is not known.',
  }),
  fdmc: Amount.optional().meta({
    description: 'Fully diluted market capitalisation in usd; absent without a price or a known supply.',
  }),
  trustScore: z.int().min(0).max(100).meta({ description: 'Trust score, 0 to 100.' }),
  mcap: Amount.optional().meta({
    description: 'Market capitalisation in usd; absent without a price or a known supply.',
  }),
  circulatingSupply: Int64Text.meta({ description: 'Supply without burnt amounts, in raw units.' }),
  chartPreviews: z.array(ChartPreview).meta({ description: 'Images of charts; empty where there is no price.' }),
};

export const Jetton = z.object(jettonShape).meta({ id: 'Jetton', description: 'A jetton with its current figures.' });
export type Jetton = z.infer<typeof Jetton>;

/** Operation 1. */
export const JettonList = z
  .object({
    jettons: z.array(Jetton),
    addressBook: AddressBook,
    missing: Missing.optional(),
    next: NextCursor.optional(),
  })
  .meta({ id: 'JettonList', description: 'A page of jettons.' });
export type JettonList = z.infer<typeof JettonList>;

/** Operation 2. */
export const JettonDetails = z
  .object({
    details: z.object({ ...jettonShape, trustScoreDetails: TrustScoreDetails }).meta({
      id: 'DetailedJetton',
      description: 'A jetton with its current figures and the parts of its trust score.',
    }),
    addressBook: AddressBook,
  })
  .meta({ id: 'JettonDetails', description: 'One jetton in full.' });
export type JettonDetails = z.infer<typeof JettonDetails>;
