import { clickhouseSettings } from '@jetton-analytics/clickhouse';
import { feedSettings } from '@jetton-analytics/feed';
import { postgresSettings } from '@jetton-analytics/postgres';
import { integerSetting } from '@jetton-analytics/service';
import { z } from 'zod';

const hashBytes = 32;

/**
 * Minters that add nothing to the standard but its own later parts (discovery, editing, upgrades by the administrator).
 * Those of stablecoins, whose administrator may lock wallets and move what is in them, are none of these.
 */
const standardMinters = [
  // ton-blockchain/jetton-contract, with the compiled code of each of its two versions.
  '0c6a4d140c456f491b1f8e54eaa98c2ab1182422dbe7d8d5aa7a8cdacb16b83d',
  '6eb01cd370f25445b7c9b598928e444009c31737334835a956b90bdd92228895',
  // Of the compiled code in OpenBuilders/notcoin-contract.
  'f83d05490af7c9cc58019488c7b253c9492d49c25d12d09383e52e81537e343a',
  // Of the compiled code in ton-blockchain/minter-contract, as it was first.
  '13f5d7a316c6d76e1053e88ac59b5de65a072a388451371dc5c5becbba13f50e',
  // Not recomputed from a build: three unrelated public lists of known code name it as the standard minter.
  '9a0f98dd6fbf225eef8165e4e64417ee931f7eea000653439e7b5dcdc0644cd6',
];

/** Hashes in hex, base64 or base64url, to lower-case hex; a wrong one is an issue at its index. */
const codeHashList = z
  .string()
  .default(standardMinters.join(','))
  .transform((text, context): readonly string[] => {
    if (text.trim() === '') return [];
    return text.split(',').flatMap((entry, index) => {
      const hash = codeHashHex(entry.trim());
      if (hash !== undefined) return [hash];
      context.addIssue({ code: 'custom', path: [index], message: `hash ${index}: must be 32 bytes in hex or base64` });
      return [];
    });
  });

/** A code hash in hex, base64 or base64url as lower-case hex; undefined for any other text. */
export function codeHashHex(text: string): string | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase();
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === hashBytes ? bytes.toString('hex') : undefined;
}

/** Settings of an app that holds a read model, its stores included; a raw shape to spread into the app's z.object. */
export const readModelSettings = {
  ...clickhouseSettings,
  ...postgresSettings,
  NATIVE_ADDRESSES: feedSettings.NATIVE_ADDRESSES,
  STABLE_ADDRESSES: feedSettings.STABLE_ADDRESSES,
  LSD_ADDRESSES: feedSettings.LSD_ADDRESSES,
  FOLLOW_INTERVAL_MS: integerSetting(10, 60_000)
    .prefault('200')
    .describe('milliseconds between two looks for a newer snapshot'),
  FOLLOW_INPUTS_INTERVAL_MS: integerSetting(10, 60_000)
    .prefault('2000')
    .describe('milliseconds between two looks for newer pool states, holders, metadata, labels and rates'),
  ITEM_CACHE_MIB: integerSetting(1, 65_536)
    .prefault('256')
    .describe('memory for the bytes of items served lately, in MiB'),
  BALANCES_COMPLETE: z
    .enum(['0', '1'])
    .default('0')
    .describe('1: the balances topic was read from the beginning of time, so that a supply may rest on it'),
  STANDARD_MINTER_CODE_HASHES: codeHashList.describe(
    'Code hashes of standard jetton minters: comma-separated, 32 bytes each in hex or base64',
  ),
};

const ReadModelSettings = z.object(readModelSettings);
export type ReadModelSettings = z.infer<typeof ReadModelSettings>;
