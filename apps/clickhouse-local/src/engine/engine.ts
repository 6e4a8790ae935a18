import { drainPending, Session } from 'chdb';
import { stringLiteral } from '../sql/literal.js';
import { EngineSession } from './engine-session.js';

export interface EngineBounds {
  statementSecondsMax: number;
  statementMemoryBytesMax: number;
  memoryBytesMax: number;
  resultBytesMax: number;
}

// Query parameters are part of the text that sets them, and an array of addresses is easily larger than the engine's
// own 256 KiB. implicit_select is the local engine's and no server's.
const CONNECTION_ARGS = [
  '--max_query_size=1073741824',
  '--implicit_select=0',
  // A server's caches may take half of the memory of its machine; this engine shares a laptop with a broker and six apps.
  ...Object.entries({
    mark_cache_size: 128,
    index_mark_cache_size: 32,
    primary_index_cache_size: 64,
    query_condition_cache_size: 32,
    compiled_expression_cache_size: 32,
  }).map(([name, mebibytes]) => `--${name}=${mebibytes * 2 ** 20}`),
];

/** The engine opened on a folder: one per process, any number of sessions. */
export class Engine {
  private readonly sessions = new Set<EngineSession>();
  private control: Session;
  private isOpen = true;
  readonly version: string;
  private readonly baseline: ReadonlyMap<string, string>;

  /** @throws Error when the folder cannot be opened, for one because another process has it open. */
  constructor(
    private readonly folder: string,
    private readonly configFile: string,
    readonly bounds: EngineBounds,
    private readonly backupFolder?: string,
  ) {
    this.baseline = new Map([
      // An insert is answered only once its rows are in the table.
      ['async_insert', '0'],
      ['max_execution_time', String(bounds.statementSecondsMax)],
      ['max_memory_usage', String(bounds.statementMemoryBytesMax)],
      ['max_memory_usage_for_user', String(bounds.memoryBytesMax)],
      ['max_result_bytes', String(bounds.resultBytesMax)],
    ]);
    this.control = this.open();
    this.version = this.control.query('SELECT version()', 'TabSeparated').trim();
  }

  openSession(): EngineSession {
    const session = new EngineSession(() => this.open(), this.baseline);
    this.sessions.add(session);
    return session;
  }

  /**
   * Ends the statement that carries this comment, or every running one. The engine has no other way to interrupt a
   * statement: giving up waiting for it leaves it running.
   */
  async kill(comment?: string): Promise<void> {
    if (!this.isOpen) return;
    const which = comment === undefined ? `query NOT LIKE 'KILL%'` : `startsWith(query, ${stringLiteral(comment)})`;
    await this.control.queryAsync(`KILL QUERY WHERE ${which} ASYNC`, { format: 'Null' });
  }

  /** Closes every session once nothing runs any more. */
  async close(): Promise<void> {
    if (this.isOpen) await this.suspend();
  }

  /** Lets go of the folder while nothing runs; what was acknowledged is on the disk. */
  async suspend(): Promise<void> {
    this.isOpen = false;
    for (const session of this.sessions) session.close();
    this.control.close();
    await drainPending();
  }

  /** Opens the folder again, as at a start: parts that are not whole are set aside. */
  resume(): void {
    this.control = this.open();
    for (const session of this.sessions) session.reopen();
    this.isOpen = true;
  }

  private open(): Session {
    const backups = this.backupFolder === undefined ? [] : [`--backups.allowed_path=${this.backupFolder}`];
    const args = [`--config-file=${this.configFile}`, ...CONNECTION_ARGS, ...backups];
    return new Session(this.folder, { connectionArgs: args });
  }
}
