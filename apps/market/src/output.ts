export interface Progress {
  readonly phase: 'backfill' | 'gap' | 'live' | 'replay';
  readonly sent: number;
  /** As far as it is known. */
  readonly total?: number;
}

/** What the program says: lines a supervisor can parse (`progress {…}`, `done {…}`), or words on a terminal. */
export interface Output {
  /** A sentence for people, as it stands. */
  say(text: string): void;
  /** A sentence about something that is wrong. */
  warn(text: string): void;
  progress(progress: Progress): void;
  done(counts: Readonly<Record<string, number>>): void;
}

const phases: Readonly<Record<Progress['phase'], string>> = {
  backfill: 'history',
  gap: 'making up for the time it stood still',
  live: 'live',
  replay: 'replay',
};

export function createOutput(streams: {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly isTerminal: boolean;
}): Output {
  const { stdout, stderr, isTerminal } = streams;
  const line = (text: string): void => void stdout.write(`${text}\n`);
  return {
    say: line,
    warn: (text) => void stderr.write(`${text}\n`),
    progress: (progress) => line(isTerminal ? inWords(progress) : `progress ${JSON.stringify(progress)}`),
    done: (counts) => line(isTerminal ? `done: ${countsInWords(counts)}` : `done ${JSON.stringify(counts)}`),
  };
}

function inWords({ phase, sent, total }: Progress): string {
  const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
  return `${phases[phase]}: ${sent.toLocaleString('en')}${of} trades sent`;
}

function countsInWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
    .join(', ');
}
