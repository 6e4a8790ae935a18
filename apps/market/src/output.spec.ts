import { describe, expect, it } from '@jest/globals';
import { createOutput } from './output.js';

function captured(isTerminal: boolean) {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text) };
  return { lines, output: createOutput({ stdout: stream, stderr: stream, isTerminal }) };
}

describe('createOutput', () => {
  it('writes lines that a supervisor can parse', () => {
    const { lines, output } = captured(false);
    output.progress({ phase: 'backfill', sent: 1000, total: 200_000 });
    output.done({ sent: 5, bad: 1 });
    expect(lines).toEqual(['progress {"phase":"backfill","sent":1000,"total":200000}\n', 'done {"sent":5,"bad":1}\n']);
  });

  it('writes words on a terminal', () => {
    const { lines, output } = captured(true);
    output.progress({ phase: 'backfill', sent: 1000, total: 200_000 });
    output.progress({ phase: 'live', sent: 7 });
    output.done({ sent: 5, bad: 1 });
    expect(lines).toEqual([
      'history: 1,000 of 200,000 trades sent\n',
      'live: 7 trades sent\n',
      'done: 5 sent, 1 bad\n',
    ]);
  });
});
