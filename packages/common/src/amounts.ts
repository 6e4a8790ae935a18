import { z } from 'zod';

/** An exact amount: `value` is an integer in text, the amount is value / 10^decimals. */
export const Amount = z
  .object({ value: z.string().regex(/^(0|-?[1-9]\d*)$/), decimals: z.int().min(0).max(255) })
  .meta({ id: 'Amount' });
export type Amount = z.infer<typeof Amount>;

/** ISO 8601 UTC instant with whole seconds. */
export const Timestamp = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);

/** An integer of any size carried as text. */
export const Int64Text = z.string().regex(/^(0|-?[1-9]\d*)$/);

/** Raw address: `<workchain>:<64 lower-case hex>`. */
export const RawAddress = z.string().regex(/^-?\d+:[0-9a-f]{64}$/);

/** Present only where the previous value was 0 or unknown, so that no percentage exists. */
export const ChangeStatus = z.enum(['noPrevious']);

export const CountChange = z
  .object({
    changePercent: z.number(),
    changeStatus: ChangeStatus.optional(),
    previous: Int64Text,
    current: Int64Text,
    calculatedAt: Timestamp,
  })
  .meta({ id: 'CountChange' });
export type CountChange = z.infer<typeof CountChange>;

export const AmountChange = z
  .object({
    changePercent: z.number(),
    changeStatus: ChangeStatus.optional(),
    previous: Amount,
    current: Amount,
    calculatedAt: Timestamp,
  })
  .meta({ id: 'AmountChange' });
export type AmountChange = z.infer<typeof AmountChange>;
