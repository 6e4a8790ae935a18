// Makes one file, and the chunks that several share, of each program named on the command line, with all it imports:
// `node ../../scripts/bundle.mjs main migrate` in an app's folder writes `bundle/main.js` and `bundle/migrate.js` from
// what is in `dist`. A program of two thousand small files takes twice the processor time of a bundled one to load (the figures
// are in docs/performance.md); `npm start` runs these. Images and most tests run `dist`.
import { readFile, rm } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { build } from 'esbuild';

const names = process.argv.slice(2);

/** Loaded from where they are installed: code of ours that looks into them must meet the same copy, or they are native. */
const installed = ['chdb', 'ioredis', 'kafkajs', 'pino', 'pino-pretty', 'reflect-metadata'];
/** Asked for by libraries that do without them; none is installed. */
const absent = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@google-cloud/spanner',
  '@grpc/grpc-js',
  '@grpc/proto-loader',
  '@nats-io/transport-node',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  '@sap/*',
  'amqp-connection-manager',
  'amqplib',
  'better-sqlite3',
  'class-transformer',
  'class-transformer/*',
  'class-validator',
  'expo-sqlite',
  'hdb-pool',
  'mongodb',
  'mqtt',
  'mssql',
  'mysql',
  'mysql2',
  'nats',
  'oracledb',
  'pg-native',
  'react-native-sqlite-storage',
  'redis',
  'sql.js',
  'sqlite3',
  'typeorm-aurora-data-api-driver',
];

/** Our own code finds its folders (migrations, settings of stores) by where it lies: it goes on to see its own place. */
const ownPlace = {
  name: 'own-place',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:apps|packages)[\\/][^\\/]+[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const place = JSON.stringify(relative('bundle', path).split(sep).join('/'));
      return { contents: text.replaceAll(/\bimport\.meta\.url\b/g, `new URL(${place}, import.meta.url).href`) };
    });
  },
};

await rm('bundle', { recursive: true, force: true });
await build({
  entryPoints: names.map((name) => `dist/${name}.js`),
  outdir: 'bundle',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  external: [...installed, ...absent],
  keepNames: true,
  logLevel: 'warning',
  plugins: [ownPlace],
  // CommonJS inside asks for Node's own modules by this name.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
});
