import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@jetton-analytics/service';
import { pollUntil } from '@jetton-analytics/testing';
import { FollowLoop } from './follow-loop.js';

function recorded() {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, logger: createLogger({ name: 'spec', level: 'info', format: 'json', destination }) };
}

describe('FollowLoop', () => {
  it('goes on after failures, and logs an outage once when it begins and once when it is over', async () => {
    const { lines, logger } = recorded();
    let rounds = 0;
    const loop = new FollowLoop(
      async () => {
        rounds += 1;
        if (rounds >= 2 && rounds <= 5) throw new Error('away');
      },
      { name: 'x', intervalMs: 1, logger, random: () => 0 },
    );
    loop.start();
    await pollUntil(() => rounds > 8, { what: 'rounds after the outage' });
    await loop.stop();
    const messages = lines.map((line) => (JSON.parse(line) as { level: string; msg: string }).level);
    expect(messages).toEqual(['warn', 'info']);
    expect(loop.failures).toBe(0);
  });

  it('stops only after the round under way is over', async () => {
    let over = false;
    let begun = false;
    const loop = new FollowLoop(
      async () => {
        begun = true;
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        over = true;
      },
      { name: 'x', intervalMs: 1_000, logger: recorded().logger },
    );
    loop.start();
    await pollUntil(() => begun, { what: 'the round' });
    await loop.stop();
    expect(over).toBe(true);
  });
});
