import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { jsonMembers } from './json-members.js';
import type { FeedRecord } from './parse-message.js';

/** A line of a sample file as the feed would carry it: without the fields that begin with `_`, numbers untouched. */
function feedRecord(line: string): FeedRecord {
  const members = jsonMembers(line);
  const kept = [...members].filter(([name]) => !name.startsWith('_'));
  const text = kept.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');
  return { value: Buffer.from(`{${text}}`), recordMs: (Number(members.get('event_time')) + 1) * 1000 };
}

/** The records of a replayed file (NDJSON, gzip or not): a record's time is its event's plus one second. */
export function readReplayFile(file: string): FeedRecord[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(feedRecord);
}
