// Commands of Markdown pages, as a reader would take them: those of fences marked `sh`, one by one, and those within a line.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const programs = /^(kubectl|helm|npm run|curl|docker|pg_dump|pg_restore|clickhouse-client|node scripts\/|infra\/)/;

/** Whether bash would take these lines as whole: no open quote, loop, here-document or line that goes on. */
function isWhole(text) {
  if (/(\\|\|)\s*$/.test(text.replace(/\s#.*$/, ''))) return false;
  const filled = text.replaceAll(/<(\w+)>/g, '$1');
  const { status, stderr } = spawnSync('bash', ['-n'], { input: `${filled}\n`, encoding: 'utf8' });
  return status === 0 && !stderr.includes('here-document');
}

/** `{ line, text }` of each command of a fence; lines of comments alone are left out. */
function commandsOf(lines, firstLine) {
  const commands = [];
  let held = [];
  for (const [index, line] of lines.entries()) {
    if (held.length === 0 && /^\s*(#.*)?$/.test(line)) continue;
    held.push(line);
    const text = held.join('\n');
    if (!isWhole(text)) continue;
    commands.push({ line: firstLine + index - held.length + 1, text });
    held = [];
  }
  if (held.length > 0) throw new Error(`line ${firstLine}: a command without an end: ${held.join('\n')}`);
  return commands;
}

/** Fences `{ language, line, text }` of a page, and `commands`: `{ line, text, inline }` in the order of the page. */
export function readPage(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const fences = [];
  const commands = [];
  let open;
  for (const [index, line] of lines.entries()) {
    const fence = /^```(\w*)$/.exec(line);
    if (fence && open === undefined) open = { language: fence[1], line: index + 2, lines: [] };
    else if (fence) {
      fences.push({ language: open.language, line: open.line, text: open.lines.join('\n') });
      if (open.language === 'sh') commands.push(...commandsOf(open.lines, open.line));
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else {
      for (const [, text] of line.matchAll(/`([^`]+)`/g)) {
        if (programs.test(text) && / /.test(text)) commands.push({ line: index + 1, text, inline: true });
      }
    }
  }
  return { fences, commands };
}
