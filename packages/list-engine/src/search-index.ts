import type { ListSource } from './list-source.js';

// Small enough that a changed name costs little, large enough that a search is one indexOf per thousand rows.
const rowsPerChunk = 1_024;
const separator = '\n';

interface Chunk {
  text: string;
  /** Where each row's text begins. */
  readonly starts: Uint32Array;
  readonly rowTexts: string[];
}

/**
 * The folded names of a source in long texts, so that a search is a few scans instead of one call per row; texts of
 * changed names alone are put together again.
 */
export class SearchIndex {
  #revision = -1;
  #size = 0;
  readonly #chunks: Chunk[] = [];

  constructor(readonly source: ListSource) {}

  /** Rows, ascending, whose folded name or symbol contains the folded text; vanished rows may be among them. */
  search(folded: string): Uint32Array {
    this.#update();
    const rows: number[] = [];
    this.#chunks.forEach((chunk, index) => searchChunk(chunk, folded, index * rowsPerChunk, rows));
    return Uint32Array.from(rows);
  }

  #update(): void {
    const { revision, size } = this.source;
    if (revision === this.#revision && size === this.#size) return;
    for (let first = 0; first < size; first += rowsPerChunk)
      this.#updateChunk(first, Math.min(size, first + rowsPerChunk));
    this.#revision = revision;
    this.#size = size;
  }

  #updateChunk(first: number, end: number): void {
    const index = first / rowsPerChunk;
    const chunk = (this.#chunks[index] ??= { text: '', starts: new Uint32Array(rowsPerChunk), rowTexts: [] });
    const { rowTexts, starts } = chunk;
    let isChanged = rowTexts.length !== end - first;
    for (let row = first; row < end; row += 1) {
      const text = this.source.searchText(row);
      if (rowTexts[row - first] === text) continue;
      rowTexts[row - first] = text;
      isChanged = true;
    }
    if (!isChanged) return;
    let length = 0;
    rowTexts.forEach((text, at) => {
      starts[at] = length;
      length += text.length + separator.length;
    });
    chunk.text = rowTexts.join(separator) + separator;
  }
}

// No text a client may search for has a line break, so a match never spans two names.
function searchChunk({ text, starts, rowTexts }: Chunk, folded: string, first: number, rows: number[]): void {
  let at = text.indexOf(folded);
  let row = 0;
  while (at >= 0) {
    while (row + 1 < rowTexts.length && (starts[row + 1] ?? 0) <= at) row += 1;
    rows.push(first + row);
    if (row + 1 >= rowTexts.length) return;
    at = text.indexOf(folded, starts[row + 1]);
  }
}
