import { z } from 'zod';

/** Settings of everything that talks to PostgreSQL; an app spreads them into its own schema. */
export const postgresSettings = {
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be postgres://user:password@host:port/database' })
    .default('postgres://postgres@127.0.0.1:5432/jetton_analytics')
    .describe('address of PostgreSQL: labels, keys, plans'),
};
