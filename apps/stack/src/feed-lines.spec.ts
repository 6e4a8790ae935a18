import { describe, expect, it } from '@jest/globals';
import { FeedLines } from './feed-lines.js';
import { createOutput } from './output.js';

function follow(...lines: string[]) {
  const seen: string[] = [];
  const feed = new FeedLines(
    'market',
    createOutput((text) => seen.push(text.trimEnd()), { colour: false }),
  );
  for (const line of lines) feed.read(line);
  return { seen: seen.map((text) => text.replace(/^ *\d+\.\d s {2}/, '')), isThrough: feed.isThrough };
}

describe('what the feed says', () => {
  it('is through when it is live or done, and not while it sends its history', () => {
    const history = 'progress {"phase":"backfill","sent":50,"total":200}';
    expect(follow(history).isThrough).toBe(false);
    expect(follow(history, 'progress {"phase":"live","sent":0}').isThrough).toBe(true);
    expect(follow('done {"sent":267,"bad":1}').isThrough).toBe(true);
  });

  it('becomes steps in words, not one for each of many notices', () => {
    const notices = [1, 2, 3].map((sent) => `progress {"phase":"backfill","sent":${sent},"total":3}`);
    expect(follow(...notices).seen).toEqual([
      'market: history, 1 of 3 trades sent',
      'market: history, 3 of 3 trades sent',
    ]);
    expect(follow('done {"sent":1267,"bad":1}').seen).toEqual(['market: 1,267 sent, 1 bad']);
  });

  it('is shown as it stands where it is a sentence', () => {
    expect(follow('line 7: not_json').seen).toEqual(['market     | line 7: not_json']);
  });
});
