import { setImmediate } from 'node:timers/promises';
import { ClickHouseQueryError, type RowBinaryReader } from '@jetton-analytics/clickhouse';

// Some 2 ms of work: whoever waits for the thread is let in between.
const sliceRows = 200;

/** The rows of a page in slices. Throws ClickHouseQueryError, naming the query, where they are none. */
export async function* binaryRows<Row>(
  name: string,
  page: RowBinaryReader,
  readRow: (page: RowBinaryReader) => Row,
): AsyncGenerator<readonly Row[]> {
  while (!page.isDone) {
    const rows: Row[] = [];
    try {
      while (!page.isDone && rows.length < sliceRows) rows.push(readRow(page));
    } catch (error) {
      throw new ClickHouseQueryError(`${name}: unexpected row: ${String(error)}`, 0, { cause: error });
    }
    yield rows;
    await setImmediate();
  }
}

/** A value of a Nullable column. */
export const nullable = <T>(row: RowBinaryReader, read: () => T): T | undefined =>
  row.uint8() === 1 ? undefined : read();
