import { cpuSeconds, residentMib } from '../dist/figures.js';
import { seedLedger } from '../dist/snapshot-seed.js';
import { createWriter, createReader, defineQuery, clickhouseSettings, migrate } from '@jetton-analytics/clickhouse';
import { createAssets, feedSettings, nativeAsset } from '@jetton-analytics/feed';
import { startClickHouseLocal, freePort } from '@jetton-analytics/embedded';
import { materialiseClosed } from '@jetton-analytics/rollups';
import { StepSnapshots } from '../../apps/aggregator/dist/snapshots/step-snapshots.js';
import { assetFactsOfSettings } from '../../apps/aggregator/dist/snapshots/asset-facts.js';
import { z } from 'zod';
import { mkdtempSync, rmSync } from 'node:fs';
const folder = mkdtempSync('/tmp/try-snap-');
const engine = await startClickHouseLocal({ repositoryRoot: '/work/main', dataDir: folder + '/ch', port: await freePort(), env: process.env, output: { file: folder + '/log' } });
const settings = z.object(clickhouseSettings).parse({ CLICKHOUSE_URL: engine.url, CLICKHOUSE_DATABASE: 'x' });
await migrate(settings);
const jettons = Number(process.argv[2] ?? 20000), trades = Number(process.argv[3] ?? 6), mat = process.argv[4] !== 'nomat';
const now = Math.floor(Date.now() / 1000);
let b = cpuSeconds(engine.pid), t = performance.now(), own = process.cpuUsage();
const lap = (what, n) => { const c = cpuSeconds(engine.pid), o = process.cpuUsage(); console.log(what.padEnd(30), 'engine cpu', (c - b).toFixed(2), 'own cpu', ((o.user + o.system - own.user - own.system) / 1e6).toFixed(2), 'wall', ((performance.now() - t) / 1000).toFixed(2), 'engine rss', residentMib(engine.pid).toFixed(0), 'own rss', residentMib(process.pid).toFixed(0)); b = c; t = performance.now(); own = o; };
const r = createReader({ ...settings, CLICKHOUSE_TIMEOUT_MS: 600000 }, { application: 'watch', lane: 'read' });
const running = defineQuery({ name: 'r', sql: "SELECT substring(query, 1, 4000) AS q, toString(peak_memory_usage) AS m FROM system.processes WHERE query NOT LIKE '%system.processes%'", params: z.object({}), row: z.object({ q: z.string(), m: z.string() }) });
const peak = new Map(); let current = '';
const timer = setInterval(async () => { try { for (const { q, m } of await r.query(running, {})) { const k = current + ' ' + (q.match(/(FROM|INTO) [a-z_]+v1/g) ?? []).join(' ').slice(0, 90) + (q.includes('maxForEach') ? ' last' : ''); peak.set(k, Math.max(peak.get(k) ?? 0, Number(m))); } } catch {} }, 300);
current = 'seed';
const seeded = await seedLedger(settings, { jettons, active: jettons / 5, tradesEach: trades, days: 60 }, now);
lap('seed + rebuild ' + seeded.rebuildSeconds.toFixed(1));
const stat = new Map();
const w = createWriter({ ...settings, CLICKHOUSE_TIMEOUT_MS: 600000 }, { application: 'try', lane: 'snapshot', onStatement: (n, s) => { const x = stat.get(n) ?? [0, 0]; x[0]++; x[1] += s; stat.set(n, x); } });
const assets = createAssets(z.object(feedSettings).parse({}));
const prices = { quoteAssets: [nativeAsset, ...assets.stables, ...assets.lsds], priceMinTradeUsd: '1' };
const show = () => { console.log([...stat].sort((a, b) => b[1][1] - a[1][1]).slice(0, 8).map(([k, [n, s]]) => `   ${k} ${n} × ${(s / n * 1000).toFixed(0)} ms`).join('\n')); stat.clear(); };
if (mat) { current = 'mat'; await materialiseClosed(w, now, () => undefined); await materialiseClosed(w, now, () => undefined); lap('materialise'); show(); }
const even = now - now % 120;
const snaps = {};
for (const step of ['short', 'mid', 'long']) {
  current = step;
  snaps[step] = new StepSnapshots(w, step, 1, assetFactsOfSettings(assets), prices);
  const taken = await snaps[step].take({ calculatedAt: even, asOf: even, positions: new Map([[0, '1']]), markedOn: '2026-11-22' }, () => undefined);
  lap(step + ' first ' + taken.rows); show();
}
for (let k = 1; k <= 5; k++) {
  current = 'follow';
  const taken = await snaps.short.take({ calculatedAt: even + 2 * k, asOf: even + 2 * k, positions: new Map([[0, '1']]), markedOn: '2026-11-22' }, () => undefined);
  lap('short follow ' + taken.rows);
}
show();
for (const step of ['mid', 'long']) { current = 'follow ' + step; const n = step === 'mid' ? 15 : 120; const taken = await snaps[step].take({ calculatedAt: even + n, asOf: even + n, positions: new Map([[0, '1']]), markedOn: '2026-11-22' }, () => undefined); lap(step + ' follow ' + taken.rows); show(); }
clearInterval(timer);
console.log([...peak].sort((a, b) => b[1] - a[1]).slice(0, 16).map(([k, m]) => (m / 2 ** 20).toFixed(0).padStart(6) + ' MiB ' + k).join('\n'));
await r.close(); await w.close(); await engine.stop(); rmSync(folder, { recursive: true });
