// Adds to package-lock.json every platform package that a registry did not list when the lock was written, so that
// `npm ci` (which checks that every optionalDependency is in the lock) passes on every platform. No dependencies.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const text = readFileSync(file, 'utf8');
const lock = JSON.parse(text);
const { packages } = lock;
const OS = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  windows: 'win32',
  android: 'android',
  freebsd: 'freebsd',
  openharmony: 'openharmony',
};
const CPU = ['arm64', 'x64', 'ia32', 'riscv64', 's390x', 'ppc64', 'loong64', 'arm', '64'];
const added = [];

const resolves = (from, name) => {
  for (let at = from; ;) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (!at) return false;
    const cut = at.lastIndexOf('/node_modules/');
    at = cut < 0 ? '' : at.slice(0, cut);
  }
};

for (const [path, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (resolves(path, name)) continue;
    const words = name.split(/[/-]/);
    const os = words.map((w) => OS[w]).find(Boolean);
    const cpu = CPU.find((c) => words.some((w) => w === c || (c === 'arm' && /^arm(?!64)/.test(w))));
    if (!os || !cpu || !/^\d/.test(version)) throw new Error(`cannot complete ${name}@${version} of ${path}`);
    packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu === '64' ? 'x64' : cpu],
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
      os: [os],
    };
    added.push(`${name}@${version}`);
  }
}
if (added.length === 0) {
  console.log('package-lock.json is complete');
} else if (process.argv.includes('--check')) {
  console.error(`package-lock.json lacks ${added.join(', ')}: run node scripts/complete-lock.mjs`);
  process.exit(1);
} else {
  const [root, ...rest] = Object.keys(packages).sort((a, b) => a.localeCompare(b, 'en'));
  lock.packages = Object.fromEntries([root, ...rest].map((key) => [key, packages[key]]));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`added ${added.join(', ')}`);
}
