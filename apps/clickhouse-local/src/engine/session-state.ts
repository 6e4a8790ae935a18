import { identifierLiteral, stringLiteral } from '../sql/literal.js';

/** What a statement is to run under, as texts in the form the HTTP interface has them. */
export interface StatementContext {
  settings: ReadonlyMap<string, string>;
  params: ReadonlyMap<string, string>;
  database: string;
}

// A session remembers parameters for ever, so it is replaced before it has gathered many.
const PARAMS_MAX = 256;

/**
 * Knows the settings, parameters and database an engine session stands at, and writes the statements that bring it to
 * those of the next query. Settings of one query thus never reach another, and an unchanged context costs nothing.
 */
export class SessionState {
  /** Undefined where the value is not known. */
  private readonly settings = new Map<string, string | undefined>();
  private readonly params = new Set<string>();
  private database: string | undefined = 'default';

  constructor(private readonly baseline: ReadonlyMap<string, string>) {}

  /** Whether a parameter that an earlier query left behind could stand in for one this query does not give. */
  mustReplaceFor(sql: string, context: StatementContext): boolean {
    if (this.params.size > PARAMS_MAX) return true;
    for (const name of this.params) if (!context.params.has(name) && sql.includes(name)) return true;
    return false;
  }

  /** SQL to run before a query, ending in `; `, or the empty text. From here on the session counts as changed. */
  prelude(context: StatementContext): string {
    const wanted = new Map([...this.baseline, ...context.settings]);
    const changes: string[] = [];
    for (const name of this.settings.keys()) if (!wanted.has(name)) changes.push(`${name} = DEFAULT`);
    for (const [name, value] of wanted)
      if (this.settings.get(name) !== value) changes.push(`${name} = ${stringLiteral(value)}`);
    this.settings.clear();
    for (const [name, value] of wanted) this.settings.set(name, value);
    for (const [name, text] of context.params) {
      // The engine unescapes the value by the rules of a text field, as it does with one from a URL: the literal only
      // has to deliver the text as it came.
      changes.push(`param_${name} = ${stringLiteral(text)}`);
      this.params.add(name);
    }
    const set = changes.length === 0 ? '' : `SET ${changes.join(', ')}; `;
    const use = context.database === this.database ? '' : `USE ${identifierLiteral(context.database)}; `;
    this.database = context.database;
    return set + use;
  }

  /** Nobody knows how much of the last prelude took effect: the next one says everything again. */
  doubt(): void {
    for (const name of this.settings.keys()) this.settings.set(name, undefined);
    this.database = undefined;
  }
}
