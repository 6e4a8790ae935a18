// Fails where a dependency that is shipped (not a development one) has a licence that is not on the list below, or none
// that the lock file names. No dependencies.
import { existsSync, readFileSync } from 'node:fs';

const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);
/** Looked at by hand: packages whose manifest names none. */
const lookedAt = new Map([
  // Daily exchange rates as JSON, no code. Its repository is known to be CC0-1.0; the package itself does not say so.
  ['node_modules/@fawazahmed0/currency-api', 'CC0-1.0'],
]);
const root = new URL('../', import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'));

/** Of an expression one alternative must be allowed, and of what holds together all. */
const isAllowed = (licence) =>
  licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((alternative) => alternative.split(' AND ').every((one) => allowed.has(one)));

/** The lock file does not name it for packages of other platforms; those that are installed name it themselves. */
function licenceOf(path, entry) {
  const known = entry.license ?? lookedAt.get(path);
  if (known !== undefined) return known;
  const manifest = new URL(`${path}/package.json`, root);
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).license : undefined;
}

const shipped = Object.entries(packages).filter(
  ([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true,
);
const problems = [];
for (const [path, entry] of shipped) {
  const licence = licenceOf(path, entry);
  if (licence === undefined && entry.optional === true) continue; // of a platform that is not this one
  if (licence === undefined || !isAllowed(licence)) problems.push(`${path}: ${licence ?? 'no licence named'}`);
}
if (problems.length > 0) {
  console.error(`licences that are not on the list of scripts/check-licences.mjs:\n  ${problems.join('\n  ')}`);
  process.exit(1);
}
console.log(`the licences of ${shipped.length} shipped dependencies are on the list`);
