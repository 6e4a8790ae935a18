import type { StatisticsTemplate } from '@jetton-analytics/figures';
import type { ItemFigures } from '../snapshots/snapshots.js';

interface Entry {
  readonly template: StatisticsTemplate;
  readonly figures: ItemFigures;
  readonly bytes: number;
}

// Objects, map entry and key of an entry, measured roughly.
const overheadBytes = 600;

/**
 * The bytes of items, rendered when first asked for and until their figures change; the longest unused go when there
 * are more than `bytesMax` bytes.
 */
export class ItemCache {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(private readonly bytesMax: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** The template of these figures. Rejects nothing; throws what `render` throws. */
  get(key: string, figures: ItemFigures, render: () => StatisticsTemplate): StatisticsTemplate {
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      this.#remove(key, entry);
      if (sameFigures(entry.figures, figures)) {
        this.#add(key, entry);
        return entry.template;
      }
    }
    const template = render();
    // Twice: as it was rendered, and with the instants that it was last served with.
    const bytes = 2 * template.bytes.length + template.holes.byteLength + key.length + overheadBytes;
    this.#add(key, { template, figures, bytes });
    for (const [oldest, old] of this.#entries) {
      if (this.#bytes <= this.bytesMax) break;
      this.#remove(oldest, old);
    }
    return template;
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

// Unchanged rows are the same strings, which compare by pointer.
const sameFigures = (a: ItemFigures, b: ItemFigures): boolean =>
  a.short === b.short && a.mid === b.mid && a.long === b.long;
