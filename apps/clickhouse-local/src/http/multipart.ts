import { EngineError } from '../engine/engine-error.js';

/**
 * The named parts of a multipart/form-data body as text. Parts are told apart by their boundary alone, so a value is
 * exactly the bytes between it and the next boundary.
 * @throws EngineError when the body is not of that form.
 */
export function readMultipart(contentType: string, body: Buffer): Map<string, string> {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const name = boundary?.[1] ?? boundary?.[2];
  if (name === undefined) throw malformed('no boundary is given');
  const delimiter = Buffer.from(`--${name}`);
  const parts = new Map<string, string>();
  let at = body.indexOf(delimiter);
  while (at !== -1) {
    const start = at + delimiter.length;
    if (body.toString('latin1', start, start + 2) === '--') return parts;
    const headEnd = body.indexOf('\r\n\r\n', start);
    const next = headEnd === -1 ? -1 : body.indexOf(Buffer.concat([Buffer.from('\r\n'), delimiter]), headEnd + 4);
    if (next === -1) break;
    const part = /(?:^|[;\s])name="([^"]*)"/i.exec(body.toString('utf8', start, headEnd))?.[1];
    if (part === undefined) throw malformed('a part has no name');
    parts.set(part, body.toString('utf8', headEnd + 4, next));
    at = next + 2;
  }
  throw malformed('the last boundary is missing');
}

const malformed = (why: string) => new EngineError(36, 'BAD_ARGUMENTS', `The multipart body cannot be read: ${why}`);
