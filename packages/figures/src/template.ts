import { hash } from 'node:crypto';
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

const comma = 0x2c;
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

interface Filled {
  readonly calculatedAt: CalculatedAt;
  readonly bytes: Buffer;
  /** SHA-256 of the bytes, once it was asked for. */
  tag: string | undefined;
}

// For two seconds or more every answer that holds an item holds the same bytes of it, and gives the same tag.
const filledOf = new WeakMap<StatisticsTemplate, Filled>();

function filled(template: StatisticsTemplate, calculatedAt: CalculatedAt): Filled {
  const known = filledOf.get(template);
  if (known !== undefined && steps.every((step) => known.calculatedAt[step] === calculatedAt[step])) return known;
  // An allocation of its own, since it is kept.
  const bytes = Buffer.allocUnsafeSlow(template.bytes.length);
  template.bytes.copy(bytes);
  const instants = instantBytes(calculatedAt);
  for (const hole of template.holes) instants[hole & 3]?.copy(bytes, hole >>> 2, 0, instantLength);
  const made = { calculatedAt: { ...calculatedAt }, bytes, tag: undefined };
  filledOf.set(template, made);
  return made;
}

/**
 * The template's bytes with every hole filled. They are kept as long as the template: nobody may change them. Throws
 * RangeError for an instant that formatInstant refuses.
 */
export function fillHoles(template: StatisticsTemplate, calculatedAt: CalculatedAt): Buffer {
  return filled(template, calculatedAt).bytes;
}

/** What stands for the bytes of `fillHoles`: another one with other bytes. Throws as that does. */
export function tagOf(template: StatisticsTemplate, calculatedAt: CalculatedAt): string {
  const one = filled(template, calculatedAt);
  return (one.tag ??= hash('sha256', one.bytes, 'base64url'));
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
  const items = templates.map((template) => filled(template, calculatedAt).bytes);
  const commas = Math.max(0, items.length - 1);
  const itemBytes = items.reduce((sum, bytes) => sum + bytes.length, commas);
  const list = Buffer.allocUnsafe(Buffer.byteLength(head) + itemBytes + Buffer.byteLength(tail));
  let at = list.write(head);
  items.forEach((bytes, index) => {
    if (index > 0) list[at++] = comma;
    at += bytes.copy(list, at);
  });
  list.write(tail, at);
  return list;
}
