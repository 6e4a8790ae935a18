// Prints what the naive recomputation makes of a file: node test/system/recompute.mjs <file> [<jetton>] [<ISO instant>] [<pool>]
import { registerHooks } from 'node:module';

// Node strips the types by itself but does not look for x.ts where x.js is imported.
registerHooks({
  resolve: (specifier, context, next) =>
    next(/^\.{1,2}\//.test(specifier) ? specifier.replace(/\.js$/, '.ts') : specifier, context),
});
const { Recomputation } = await import('./src/oracle/recompute.js');
const { readReplayFile } = await import('./src/oracle/replay-file.js');
const { sameInstant, timestampOf } = await import('./src/oracle/windows.js');

const [file, jetton, instant, pool] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('usage: node test/system/recompute.mjs <file> [<jetton> [<ISO instant> [<pool>]]]\n');
  process.exit(64);
}
const recomputation = new Recomputation(readReplayFile(file));
const t = instant === undefined ? recomputation.eventClock : Math.floor(Date.parse(instant) / 1000);
const print = (value) => process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
if (jetton === undefined) {
  print({
    eventClock: timestampOf(t),
    jettons: Object.fromEntries(recomputation.jettons.map((address) => [address, recomputation.poolsOf(address)])),
  });
} else if (pool === undefined) {
  print(recomputation.jettonStatistics(jetton, sameInstant(t)) ?? null);
} else {
  print(recomputation.marketStatistics(jetton, pool, sameInstant(t)) ?? null);
}
