// Proof that the fault suite bites: it must find nothing in the build as it is, and something in each broken variant of it.
//   npm run build && node test/system/bites.mjs [<variant> …]
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { importTypeScript } from './strip-types.mjs';

importTypeScript();
const { brokenVariants } = await import('./src/faults/broken-variants.ts');
const { copyBuilt } = await import('./src/faults/built-copy.ts');
const { biteRun } = await import('./src/faults/fault-options.ts');
const { runFaults } = await import('./src/faults/run-faults.ts');
const { ownStores } = await import('./src/faults/stores.ts');

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
const tell = (line) => process.stderr.write(`${line}\n`);
const names = process.argv.slice(2);
const asItIs = { name: 'as-it-is', mistake: 'nothing', patch: () => undefined };
const variants = [asItIs, ...brokenVariants].filter(({ name }) => names.length === 0 || names.includes(name));
tell(`seed ${seed}; SEED=${seed} repeats it`);

const engine = copyBuilt();
let failures = 0;
const stores = await ownStores(engine.root, tell);
const interrupted = async () => {
  await stores.stop();
  engine.remove();
  process.exit(130);
};
process.once('SIGINT', () => void interrupted());
process.once('SIGTERM', () => void interrupted());
try {
  for (const variant of variants) {
    const built = copyBuilt();
    try {
      // The patches are of what is built file by file.
      rmSync(join(built.root, 'apps/aggregator/bundle'), { recursive: true, force: true });
      variant.patch(built.root);
      const armed = variant.armament === undefined ? {} : { nextArmament: () => variant.armament };
      const context = { root: built.root, stores, tell, secondsPerEvent: 0.3, endsAtFirst: true, ...armed };
      const { findings } = await runFaults({ ...biteRun, seed }, context);
      // A version that is another number would be no proof: the figures must be wrong.
      const isAsWanted = variant === asItIs ? findings.count === 0 : findings.figures > 0;
      if (!isAsWanted) failures += 1;
      process.stdout.write(
        `${isAsWanted ? 'ok  ' : 'FAIL'} ${variant.name} (${variant.mistake}): ${findings.figures} figures differ` +
          `${findings.examples.length === 0 ? '' : `; ${findings.examples.find((one) => !/ (version|revision) of/.test(one))?.slice(0, 200)}`}\n`,
      );
    } finally {
      built.remove();
    }
  }
} finally {
  await stores.stop();
  engine.remove();
}
process.exit(failures === 0 ? 0 : 1);
