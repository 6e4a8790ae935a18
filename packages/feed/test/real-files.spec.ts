import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { legsOf } from '../src/legs.js';
import { parseTradeMessage } from '../src/parse-trade-message.js';
import { assets } from './factory.js';

const folder = fileURLToPath(new URL('../../../../shared/data/trades/', import.meta.url));
const files = existsSync(folder) ? readdirSync(folder).filter((name) => /^dex_trades\..*\.ndjson\.gz$/.test(name)) : [];

const messagesMin = 100;

if (files.length === 0) console.log('real trade files: skipped, ../shared/data/trades is not there');

(files.length === 0 ? describe.skip : describe)('real trade files', () => {
  it.each(files.length === 0 ? ['(none)'] : files)(
    '%s: every message is accepted, is a trade with one leg against native, and none twice',
    (name) => {
      const lines = gunzipSync(readFileSync(folder + name))
        .toString()
        .trim()
        .split('\n');
      const eventIds = new Set<string>();
      for (const [index, line] of lines.entries()) {
        const { event_time: eventTime } = JSON.parse(line) as { event_time: number };
        const outcome = parseTradeMessage({ value: Buffer.from(line), timestampMs: eventTime * 1000 }, assets);
        if (outcome.kind !== 'trade') throw new Error(`${name}:${index + 1}: ${outcome.kind} ${outcome.reason}`);
        eventIds.add(outcome.trade.eventId);
        const legs = legsOf(outcome.trade, assets);
        if (legs.length !== 1 || legs[0]?.isTrade !== true)
          throw new Error(`${name}:${index + 1}: ${legs.length} legs`);
      }
      expect(lines.length).toBeGreaterThan(messagesMin);
      expect(eventIds.size).toBe(lines.length);
    },
    480_000,
  );
});
