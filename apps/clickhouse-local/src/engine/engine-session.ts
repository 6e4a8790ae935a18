import { Session, type RawInsertFormat } from 'chdb';
import { toEngineError } from './engine-error.js';
import { SessionState, type StatementContext } from './session-state.js';

/** Rows and bytes of a finished statement, as far as the engine tells. */
export interface StatementCounts {
  rowsRead: number;
  bytesRead: number;
  rowsWritten: number;
  bytesWritten: number;
  elapsedSeconds: number;
}

export interface QueryResult extends StatementCounts {
  body: Uint8Array;
}

/** Rows as bytes in one of the text formats the engine takes without a copy. */
export interface PlainInsert {
  table: string;
  columns?: string[];
  format: RawInsertFormat;
  rows: Buffer;
}

const UNKNOWN_SETTING = 115;

/** A session's place in a lane: one engine session at a time, exchanged for a new one once it is no longer clean. */
export class EngineSession {
  private session: Session;
  private state: SessionState;

  constructor(
    private readonly open: () => Session,
    private readonly baseline: ReadonlyMap<string, string>,
  ) {
    this.session = open();
    this.state = new SessionState(baseline);
  }

  /** Runs one statement. @throws EngineError */
  async query(sql: string, format: string, context: StatementContext, leavesState: boolean): Promise<QueryResult> {
    return this.run(sql, context, leavesState, async (prelude) => {
      const result = await this.session.queryAsync(prelude + sql, { format });
      return {
        body: result.bytes(),
        rowsRead: result.rowsRead,
        bytesRead: result.bytesRead,
        rowsWritten: 0,
        bytesWritten: 0,
        elapsedSeconds: result.elapsed,
      };
    });
  }

  /** Inserts rows that are bytes in a text format. @throws EngineError */
  async insert(insert: PlainInsert, context: StatementContext): Promise<StatementCounts> {
    return this.run('', context, false, async (prelude) => {
      if (prelude !== '') await this.session.queryAsync(prelude);
      const { table, columns, format, rows } = insert;
      const summary = await this.session.insert({ table, format, values: rows, ...(columns && { columns }) });
      return {
        rowsRead: summary.rowsWritten,
        bytesRead: summary.bytesSent,
        rowsWritten: summary.rowsWritten,
        bytesWritten: summary.bytesWritten,
        elapsedSeconds: summary.elapsed,
      };
    });
  }

  close(): void {
    this.session.close();
  }

  private async run<T>(
    sql: string,
    context: StatementContext,
    leavesState: boolean,
    work: (prelude: string) => Promise<T>,
  ): Promise<T> {
    if (this.state.mustReplaceFor(sql, context)) this.replace();
    const prelude = this.state.prelude(context);
    // A readonly session refuses every later SET.
    let spoilt = leavesState || context.settings.has('readonly');
    try {
      return await work(prelude);
    } catch (error) {
      const known = toEngineError(error);
      // A setting that does not exist cannot be taken back either.
      if (known.code === UNKNOWN_SETTING) spoilt = true;
      else if (prelude !== '') this.state.doubt();
      spoilt ||= !(await this.isClean());
      throw known;
    } finally {
      if (spoilt) this.replace();
    }
  }

  /**
   * A session keeps what a statement had answered before it failed, and gives it out at the head of the next answer:
   * seen with statements ended for their time, their result's size, or an exception thrown on the way.
   */
  private async isClean(): Promise<boolean> {
    try {
      return (await this.session.queryAsync(`SELECT 'clean'`, { format: 'TabSeparated' })).text() === 'clean\n';
    } catch {
      // A session that cannot even answer this is no good, for whatever reason.
      return false;
    }
  }

  private replace(): void {
    this.session.close();
    this.reopen();
  }

  /** After close(). */
  reopen(): void {
    this.session = this.open();
    this.state = new SessionState(this.baseline);
  }
}
