/** An error in the terms of ClickHouse: a code, its name, and a text. */
export class EngineError extends Error {
  constructor(
    readonly code: number,
    readonly codeName: string,
    message: string,
  ) {
    super(message);
    this.name = 'EngineError';
  }
}

const FORM = /^(?:Code: (?<code>\d+)\. )?(?:DB::Exception: )?(?<text>[\s\S]*)$/;
const CODE_NAME = /\(([A-Z][A-Z0-9_]{2,})\)(?: \(version [^)]*\))?\s*$/;

/**
 * Reads the engine's message `Code: N. DB::Exception: text (NAME)`. A full disk that this process has met itself has
 * ClickHouse's code for one, so that clients try again; anything else becomes code 1001, as in ClickHouse.
 */
export function toEngineError(thrown: unknown): EngineError {
  if (thrown instanceof EngineError) return thrown;
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOSPC') {
    return new EngineError(243, 'NOT_ENOUGH_SPACE', thrown.message);
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const groups = FORM.exec(message)?.groups;
  const code = groups?.['code'];
  const text = groups?.['text'] ?? message;
  if (code === undefined) return new EngineError(1001, 'STD_EXCEPTION', text);
  const name = CODE_NAME.exec(text);
  return new EngineError(
    Number(code),
    name?.[1] ?? 'UNKNOWN_EXCEPTION',
    name === null ? text : text.slice(0, name.index).trimEnd(),
  );
}
