import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Assets } from '../src/assets.js';
import type { Fault, FaultReason, Skip } from '../src/faults.js';
import type { FeedMessage } from '../src/open-message.js';
import type { TradeOutcome } from '../src/trade.js';

/**
 * The trades message as a zod schema, and a slow parser on top of it: the feed's text once more, written without the
 * parser's code, its arithmetic or its way to the text of a number. Used by tests only.
 */

/** A JSON number by its text. */
export class NumberText {
  constructor(readonly text: string) {}
}

interface Exact {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

// Beyond any bound of the feed, and still small enough to be built.
const farExponent = 5_000;
const decimalPattern = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** The exact value; where the exponent is far off, one on the same side of every bound. */
export function exactOf(text: string): Exact | undefined {
  if (!decimalPattern.test(text)) return undefined;
  const [mantissa = '', exponentText = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole.replace('-', '') + fraction);
  const unscaled = text.startsWith('-') ? -digits : digits;
  const exponent = Math.max(-farExponent, Math.min(farExponent, Number(exponentText))) - fraction.length;
  return exponent >= 0
    ? { numerator: unscaled * 10n ** BigInt(exponent), denominator: 1n }
    : { numerator: unscaled, denominator: 10n ** BigInt(-exponent) };
}

export function isInteger({ numerator, denominator }: Exact): boolean {
  return numerator % denominator === 0n;
}

function plain(scaled: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  const fraction = String((scaled % unit) + unit)
    .slice(1)
    .replace(/0+$/, '');
  return fraction === '' ? String(scaled / unit) : `${scaled / unit}.${fraction}`;
}

export interface Refusal {
  readonly fault: FaultReason;
}

export const refuse = (fault: FaultReason): Refusal => ({ fault });

/** A field of a required type that says why it is refused by an issue whose message is the fault's reason. */
export function field<T>(read: (value: unknown) => T | Refusal) {
  return z
    .unknown()
    .default(null)
    .transform((value, context): T => {
      const result = read(value);
      if (typeof result === 'object' && result !== null && 'fault' in result) {
        context.addIssue({ code: 'custom', message: result.fault });
        return z.NEVER;
      }
      return result;
    });
}

export const hash = field((value) => {
  if (value === null) return refuse('missing_field');
  if (typeof value !== 'string') return refuse('wrong_type');
  if (!/^[A-Za-z0-9+/]{43}=$/.test(value)) return refuse('malformed_hash');
  const bytes = Array.from(atob(value), (byte) => byte.charCodeAt(0));
  if (btoa(String.fromCharCode(...bytes)) !== value) return refuse('malformed_hash');
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
});

export const address = field((value) => {
  if (value === null) return '';
  if (typeof value !== 'string') return refuse('wrong_type');
  const [workchain = '', account = '', ...rest] = value.split(':');
  const number = Number(workchain);
  const isWorkchain = /^[0-9-]+$/.test(workchain) && String(number | 0) === workchain;
  return isWorkchain && /^[0-9a-f]{64}$/i.test(account) && rest.length === 0
    ? value.toLowerCase()
    : refuse('malformed_address');
});

function numberOf(value: unknown): Exact | Refusal | null {
  if (value === null) return null;
  const text = value instanceof NumberText ? value.text : value;
  if (typeof text !== 'string') return refuse('wrong_type');
  const spelled = text.toLowerCase().replace(/^[+-]/, '');
  return exactOf(text) ?? refuse(['nan', 'inf', 'infinity'].includes(spelled) ? 'not_finite' : 'wrong_type');
}

export const amount = field<bigint | null>((value) => {
  const exact = numberOf(value);
  if (exact === null || 'fault' in exact) return exact;
  if (!isInteger(exact)) return refuse('wrong_type');
  const integer = exact.numerator / exact.denominator;
  return integer >= 0n && integer < 1n << 120n ? integer : refuse('amount_out_of_range');
});

export const volume = field<string | null>((value) => {
  const exact = numberOf(value);
  if (exact === null || 'fault' in exact) return exact;
  const { numerator, denominator } = exact;
  const bound = 10n ** 18n;
  if (numerator < 0n || numerator >= bound * denominator) return refuse('volume_out_of_range');
  const rounded = (numerator * bound * 2n + denominator) / (denominator * 2n);
  return rounded < bound * bound ? plain(rounded, 18) : refuse('volume_out_of_range');
});

export function integerFrom(from: bigint, to: bigint, whenNull: number | Refusal, outOfRange: FaultReason) {
  return field((value): number | Refusal => {
    if (value === null) return whenNull;
    const exact = value instanceof NumberText ? exactOf(value.text) : undefined;
    if (exact === undefined || !isInteger(exact)) return refuse('wrong_type');
    const whole = exact.numerator / exact.denominator;
    return whole >= from && whole <= to ? Number(whole) : refuse(outOfRange);
  });
}

const deleted = field<boolean>((value) =>
  value === null ? false : typeof value === 'boolean' ? value : refuse('wrong_type'),
);
export const project = field((value) => (typeof value === 'string' ? value.toWellFormed() : ''));
const eventType = field((value) =>
  typeof value === 'string' ? value : refuse(value === null ? 'missing_field' : 'wrong_type'),
);

// The keys stand in the order of the checks, and zod reports issues in the order of the keys.
function tradeSchema(recordTimestampMs: number, isRetraction: boolean) {
  // A Kafka timestamp is always a whole number.
  const latest = BigInt(Math.floor((recordTimestampMs + 600_000) / 1000));
  const unchecked = field(() => null);
  return z.object({
    tx_hash: hash,
    event_time: integerFrom(1_546_300_800n, latest, refuse('missing_field'), 'event_time_out_of_range'),
    trader_address: isRetraction ? field(() => '') : address,
    pool_address: address,
    token_sold_address: address,
    token_bought_address: address,
    amount_sold_raw: isRetraction ? unchecked : amount,
    amount_bought_raw: isRetraction ? unchecked : amount,
    volume_usd: isRetraction ? unchecked : volume,
    volume_ton: isRetraction ? unchecked : volume,
    revision: integerFrom(0n, 2n ** 31n - 1n, 0, 'revision_out_of_range'),
    deleted,
    project: isRetraction ? field(() => '') : project,
  });
}

const schemas = new Map<string, ReturnType<typeof tradeSchema>>();

/** Making a schema takes far longer than using it. */
function schemaOf(recordTimestampMs: number, isRetraction: boolean) {
  const key = `${recordTimestampMs} ${isRetraction}`;
  const schema = schemas.get(key) ?? tradeSchema(recordTimestampMs, isRetraction);
  schemas.set(key, schema);
  return schema;
}

export function faultOf(error: z.ZodError): Fault {
  const [issue] = error.issues;
  return { kind: 'fault', reason: issue?.message as FaultReason, field: String(issue?.path[0]), detail: '' };
}

export const fault = (reason: FaultReason): Fault => ({ kind: 'fault', reason, detail: '' });

/** The message's fields, or what it is instead of an object. */
export function openByReference({ value }: FeedMessage): { readonly fields: Record<string, unknown> } | Skip | Fault {
  if (value === null) return { kind: 'skip', reason: 'tombstone' };
  if (value.length > 2 ** 20) return fault('too_large');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return fault('not_utf8');
  }
  let parsed: unknown;
  try {
    const reviver = (_key: string, item: unknown, context: { source: string }): unknown =>
      typeof item === 'number' ? new NumberText(context.source) : item;
    parsed = JSON.parse(text, reviver as (this: unknown, key: string, item: unknown) => unknown);
  } catch {
    return fault('not_json');
  }
  const record = z.record(z.string(), z.unknown()).safeParse(parsed instanceof NumberText ? null : parsed);
  return record.success ? { fields: record.data } : fault('not_object');
}

export function parseByReference(message: FeedMessage, assets: Assets): TradeOutcome {
  const opened = openByReference(message);
  if ('kind' in opened) return opened;
  const { timestampMs } = message;
  const record = { data: opened.fields };
  const type = z.object({ event_type: eventType }).safeParse(record.data);
  if (!type.success) return faultOf(type.error);
  if (type.data.event_type !== 'trade') {
    return { kind: 'skip', reason: type.data.event_type === 'launch' ? 'launch' : 'other_event_type' };
  }
  const fields = schemaOf(timestampMs, record.data['deleted'] === true).safeParse(record.data);
  if (!fields.success) return faultOf(fields.error);
  if (!(timestampMs >= 1_546_300_800_000 && timestampMs < 4_102_444_800_000)) return fault('record_time_out_of_range');
  if (fields.data.token_sold_address === '' || fields.data.token_bought_address === '') {
    return { kind: 'skip', reason: 'null_token' };
  }
  return { kind: 'trade', trade: tradeOf(fields.data, timestampMs, assets) };
}

type Fields = z.infer<ReturnType<typeof tradeSchema>>;

function tradeOf(fields: Fields, recordTimestampMs: number, assets: Assets) {
  const sides = [
    { token: fields.token_sold_address, amount: fields.amount_sold_raw },
    { token: fields.token_bought_address, amount: fields.amount_bought_raw },
  ];
  const valued = (has: (token: string) => boolean, decimals: number) => {
    const side = sides.find(({ token, amount: raw }) => raw !== null && has(token));
    return side?.amount === undefined || side.amount === null ? undefined : plain(side.amount, decimals);
  };
  const volumeTon = valued((token) => assets.native.has(token), 9) ?? fields.volume_ton;
  const volumeUsd = valued((token) => assets.stables.includes(token), 6) ?? fields.volume_usd;
  const identity = [
    fields.tx_hash,
    'trade',
    fields.event_time,
    fields.pool_address,
    fields.token_sold_address,
    fields.token_bought_address,
  ];
  const content = [
    fields.amount_sold_raw,
    fields.amount_bought_raw,
    volumeUsd,
    volumeTon,
    fields.trader_address,
    fields.project,
  ];
  const contentText = fields.deleted ? '' : content.map((part) => part ?? '').join('\x1f');
  const order = BigInt(fields.revision) * 2n + (fields.deleted ? 1n : 0n);
  const contentHash = createHash('sha256').update(contentText).digest().readBigUInt64BE();
  return {
    eventId: createHash('sha256').update(identity.join('\x1f')).digest('hex'),
    txHash: fields.tx_hash,
    eventTime: fields.event_time,
    pool: fields.pool_address,
    sold: fields.token_sold_address,
    bought: fields.token_bought_address,
    amountSold: fields.amount_sold_raw,
    amountBought: fields.amount_bought_raw,
    volumeUsd,
    volumeTon,
    trader: fields.trader_address,
    project: fields.project,
    revision: fields.revision,
    deleted: fields.deleted,
    version: order * 2n ** 112n + BigInt(recordTimestampMs) * 2n ** 64n + contentHash,
    recordTimestampMs,
  };
}
