import { z } from 'zod';

/** An exact amount: `value` is an integer in text, the amount is value / 10^decimals. */
export const Amount = z
  .object({
    value: z
      .string()
      .regex(/^(0|-?[1-9]\d*)$/)
      .meta({ description: 'An integer in text, without exponent or leading zeros.' }),
    decimals: z.int().min(0).max(255).meta({ description: 'Scale: the amount is value / 10^decimals.' }),
  })
  .meta({
    id: 'Amount',
    description: 'An exact amount: value / 10^decimals.',
    examples: [{ value: '1234500', decimals: 6 }],
  });
export type Amount = z.infer<typeof Amount>;

/** ISO 8601 UTC instant with whole seconds. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
  .meta({
    id: 'Timestamp',
    description: 'An instant: ISO 8601, UTC, whole seconds.',
    examples: ['2026-11-21T12:00:00Z'],
  });

/** An integer of any size carried as text. */
export const Int64Text = z
  .string()
  .regex(/^(0|-?[1-9]\d*)$/)
  .meta({ id: 'Int64Text', description: 'An integer in text.', examples: ['1234'] });

/** Raw address: `<workchain>:<64 lower-case hex>`. */
export const RawAddress = z
  .string()
  .regex(/^-?\d+:[0-9a-f]{64}$/)
  .meta({
    id: 'RawAddress',
    description: 'Raw address: workchain, colon, 64 lower-case hex digits.',
    examples: ['0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'],
  });

/** Present only where the previous value was 0 or unknown, so that no percentage exists. */
export const ChangeStatus = z.enum(['noPrevious']).meta({
  id: 'ChangeStatus',
  description: 'Present only where the previous value is 0 or unknown, so that no percentage exists.',
});

const changePercent = z.number().meta({
  description: 'Change from previous to current in percent, rounded to four decimals; 0 with a changeStatus.',
});
const calculatedAt = Timestamp.meta({ description: 'End of the current window.' });

export const CountChange = z
  .object({
    changePercent,
    changeStatus: ChangeStatus.optional(),
    previous: Int64Text.meta({ description: 'Count of the window before the current one.' }),
    current: Int64Text.meta({ description: 'Count of the window that ends at calculatedAt.' }),
    calculatedAt,
  })
  .meta({
    id: 'CountChange',
    description: 'A count in a window and in the window before it.',
    examples: [{ changePercent: 12.5, previous: '8', current: '9', calculatedAt: '2026-11-21T12:00:00Z' }],
  });
export type CountChange = z.infer<typeof CountChange>;

export const AmountChange = z
  .object({
    changePercent,
    changeStatus: ChangeStatus.optional(),
    previous: Amount.meta({ description: 'Amount of the window before the current one, or price at its end.' }),
    current: Amount.meta({ description: 'Amount of the window that ends at calculatedAt, or price at that instant.' }),
    calculatedAt,
  })
  .meta({
    id: 'AmountChange',
    description: 'An amount in a window and in the window before it; of a price, at the ends of the two.',
    examples: [
      {
        changePercent: -50,
        previous: { value: '2000000', decimals: 6 },
        current: { value: '1000000', decimals: 6 },
        calculatedAt: '2026-11-21T12:00:00Z',
      },
    ],
  });
export type AmountChange = z.infer<typeof AmountChange>;
