import { styleText } from 'node:util';

/** Where lines go; injected, so that tests can read them. */
export type Write = (text: string) => void;

export interface Output {
  /** A step of the start, with the seconds since it began. */
  step(text: string): void;
  /** A line of one app's output, behind the app's name. */
  line(name: string, text: string): void;
  /** Something to read as it stands. */
  text(text: string): void;
}

const colours = ['cyan', 'magenta', 'yellow', 'green', 'blue'] as const;
const nameWidth = 10;

/** The terminal of the stack. `colour` is false where the output is no terminal. */
export function createOutput(write: Write, { colour }: { colour: boolean }): Output {
  const startedAt = performance.now();
  const colourOf = new Map<string, (typeof colours)[number]>();
  const styled = (style: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  return {
    step: (text) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5);
      write(`${styled('dim', `${seconds} s`)}  ${text}\n`);
    },
    line: (name, text) => {
      const known = colourOf.get(name) ?? colours[colourOf.size % colours.length] ?? 'cyan';
      colourOf.set(name, known);
      write(`${styled(known, `${name.padEnd(nameWidth)} |`)} ${text}\n`);
    },
    text: (text) => write(`${text}\n`),
  };
}
