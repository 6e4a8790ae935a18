// Runs commands one after another in one bash, as in a reader's terminal: variables stay, what goes on in the background
// stays until the end.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const deadlineMs = 600_000;
const mark = '::of-this-script::';

/** Each job of a shell with `set -m` is a process group of its own: what they have in common is the session. */
function killSession(session) {
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ');
      if (Number(fields[3]) === session) process.kill(Number(name), 'SIGKILL');
    } catch (error) {
      if (!['ENOENT', 'ESRCH'].includes(error.code)) throw error; // it has ended meanwhile
    }
  }
}

/** Resolves with `{ statuses, output }` for each text: the exit status of every part of its pipe, and what it printed. */
export async function runInOneShell(texts, { cwd, env }) {
  const folder = mkdtempSync(join(tmpdir(), 'jetton-analytics-shell-'));
  const script = [
    'exec 2>&1 < /dev/null',
    'set -m',
    ...texts.flatMap((text) => [`echo; echo "${mark}"`, 'true', text, `printf "\\n${mark}%s\\n" "\${PIPESTATUS[*]}"`]),
    'for job in $(jobs -p); do kill -- -$job; done',
    'wait',
  ].join('\n');
  const file = join(folder, 'page.sh');
  writeFileSync(file, script);
  const child = spawn('bash', [file], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const timer = setTimeout(() => killSession(child.pid), deadlineMs);
  await new Promise((resolve) => {
    child.once('close', resolve);
  });
  clearTimeout(timer);
  rmSync(folder, { recursive: true });
  const parts = Buffer.concat(chunks).toString('utf8').split(`\n${mark}\n`).slice(1);
  return texts.map((_, index) => {
    const [output = '', rest = ''] = (parts[index] ?? '').split(`\n${mark}`);
    const statuses = rest.split('\n', 1)[0].split(' ').filter(Boolean).map(Number);
    return { output: output.trim(), statuses };
  });
}
