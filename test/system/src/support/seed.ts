/** The seed of a random test: SEED where it is set, to repeat a run, else a new one. Print it. */
export function chooseSeed(): number {
  const wanted = process.env['SEED'];
  if (wanted === undefined) return Math.floor(Math.random() * 1_000_000);
  if (!/^\d{1,9}$/.test(wanted)) throw new Error(`SEED: expected up to nine digits, got ${wanted}`);
  return Number(wanted);
}
