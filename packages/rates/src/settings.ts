import { z } from 'zod';

const day = 86_400;

/** Settings of the process that refreshes rates, a raw shape to spread into an app's z.object. */
export const ratesSettings = {
  FX_RATES_URL: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })], { error: 'must be empty or an http(s) URL' })
    .default('')
    .describe('address of daily rates as JSON, shaped like the npm package’s v1/currencies/usd.json; empty: none'),
  FX_REFRESH_SECONDS: z
    .string()
    .regex(/^\d{1,7}$/, 'must be a whole number')
    .prefault('21600')
    .transform(Number)
    .pipe(
      z
        .int()
        .min(60)
        .max(7 * day),
    )
    .describe('seconds between two looks for newer rates'),
};
