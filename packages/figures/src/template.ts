import { formatInstant, instantLength } from './instants.js';
import { steps, type Step } from './windows.js';

/**
 * The bytes of a statistics object in which every calculatedAt is a hole of fixed width. The bytes change only with the
 * figures: the newest calculatedAt of each step is filled in when the object is served.
 */
export interface StatisticsTemplate {
  /** An allocation of its own, so that keeping it keeps no pooled slab alive. */
  readonly bytes: Buffer;
  /** Ascending; offset × 4 + index of the step in `steps`. One number each: there are 59 holes in an object of a jetton. */
  readonly holes: Uint32Array;
}

/** The newest calculatedAt of each step, Unix seconds. */
export type CalculatedAt = Readonly<Record<Step, number>>;

const emptyHole = '0000-00-00T00:00:00Z';

/** Collects ASCII text and notes where its holes are. */
export class TemplateWriter {
  private text = '';
  private readonly holes: number[] = [];

  add(text: string): void {
    this.text += text;
  }

  addHole(step: Step): void {
    this.holes.push(this.text.length * 4 + steps.indexOf(step));
    this.text += emptyHole;
  }

  finish(): StatisticsTemplate {
    const bytes = Buffer.allocUnsafeSlow(this.text.length);
    bytes.write(this.text, 'latin1');
    return { bytes, holes: Uint32Array.from(this.holes) };
  }
}

/** Where the holes of a template are: offset in bytes, and the step whose calculatedAt belongs there. */
export function holesOf({ holes }: StatisticsTemplate): { offset: number; step: Step }[] {
  // the two low bits are an index into `steps`, written by addHole
  return Array.from(holes, (hole) => ({ offset: hole >>> 2, step: steps[hole & 3] as Step }));
}

const instantBytes = (calculatedAt: CalculatedAt): Buffer[] =>
  steps.map((step) => Buffer.from(formatInstant(calculatedAt[step]), 'latin1'));

/**
 * A new buffer with the template's bytes and every hole filled. Throws RangeError for an instant that formatInstant
 * refuses.
 */
export function fillHoles({ bytes, holes }: StatisticsTemplate, calculatedAt: CalculatedAt): Buffer {
  const filled = Buffer.from(bytes);
  const instants = instantBytes(calculatedAt);
  for (const hole of holes) instants[hole & 3]?.copy(filled, hole >>> 2, 0, instantLength);
  return filled;
}

/**
 * One new buffer with `head`, the templates with every hole filled and a comma between them, and `tail`: a list of items
 * from the bytes that are kept of each. Throws RangeError for an instant that formatInstant refuses.
 */
export function fillList(
  head: string,
  templates: readonly StatisticsTemplate[],
  tail: string,
  calculatedAt: CalculatedAt,
): Buffer {
  const instants = instantBytes(calculatedAt);
  const commas = Math.max(0, templates.length - 1);
  const itemBytes = templates.reduce((sum, { bytes }) => sum + bytes.length, commas);
  const filled = Buffer.allocUnsafe(Buffer.byteLength(head) + itemBytes + Buffer.byteLength(tail));
  let at = filled.write(head);
  templates.forEach(({ bytes, holes }, index) => {
    if (index > 0) at += filled.write(',', at);
    bytes.copy(filled, at);
    for (const hole of holes) instants[hole & 3]?.copy(filled, at + (hole >>> 2), 0, instantLength);
    at += bytes.length;
  });
  filled.write(tail, at);
  return filled;
}
