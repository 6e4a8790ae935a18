import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const module = fileURLToPath(new URL('line-output.ts', import.meta.url));

describe('a process whose standard output nobody reads any more', () => {
  it('works on and ends when it wants to', async () => {
    const program = `
      const { lineOutput } = await import(${JSON.stringify(module)});
      const output = lineOutput(1);
      output.write('first\\n');
      output.flushSync();
      process.once('message', () => {
        for (let n = 0; n < 1_000; n += 1) output.write('a line that nobody reads\\n');
        output.flushSync();
        process.exit(7);
      });`;
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    try {
      const { stdout } = child;
      if (stdout === null) throw new Error('its output is not a pipe');
      const [first] = (await once(stdout, 'data')) as [Buffer];
      expect(first.toString()).toBe('first\n');
      stdout.destroy();
      await once(stdout, 'close');
      child.send('go on');
      expect(await once(child, 'exit')).toEqual([7, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
