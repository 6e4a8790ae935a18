import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

/** Times that a statement is sent where the connection it took had been closed meanwhile. */
const attemptsMax = 3;

/** ClickHouse over plain HTTP, past the service and its client. */
export class EngineClient {
  readonly #url: URL;

  constructor(url: string, database: string) {
    this.#url = new URL(url);
    this.#url.searchParams.set('database', database);
    this.#url.searchParams.set('output_format_json_quote_64bit_integers', '1');
    this.#url.searchParams.set('output_format_json_quote_decimals', '1');
    this.#url.searchParams.set('output_format_json_named_tuples_as_objects', '0');
    this.#url.searchParams.set('max_execution_time', '300');
  }

  /** The rows of a statement as columns of text, one after the other. */
  async *rows(sql: string): AsyncGenerator<string[]> {
    const response = await this.#ask(`${sql} FORMAT TSVRaw`);
    if (!response.ok || response.body === null) throw new Error(await response.text());
    const lines = createInterface({ input: Readable.fromWeb(response.body) });
    for await (const line of lines) yield line.split('\t');
  }

  /** This process compares for minutes without a turn of its event loop, and does not see that an idle connection ends. */
  async #ask(body: string): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await fetch(this.#url, { method: 'POST', body, signal: AbortSignal.timeout(300_000) });
      } catch (error) {
        if (attempt === attemptsMax || !(error instanceof TypeError)) throw error;
      }
    }
  }

  async all(sql: string): Promise<string[][]> {
    const rows: string[][] = [];
    for await (const row of this.rows(sql)) rows.push(row);
    return rows;
  }
}
