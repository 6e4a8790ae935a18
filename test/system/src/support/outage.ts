const defaultSeconds = 12;

/**
 * How long PostgreSQL is away in the test of that: POSTGRES_OUTAGE_SECONDS, by default longer than every cache of keys
 * but the one of those found (unknown keys are remembered for 10 s, changes looked for each second).
 */
export const outageMs = Number(process.env['POSTGRES_OUTAGE_SECONDS'] ?? defaultSeconds) * 1_000;
if (!(outageMs >= 1_000)) throw new Error('POSTGRES_OUTAGE_SECONDS must be a number of seconds, at least 1');
