import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, deflate, gzip, zstdCompress } from 'node:zlib';
import type { EngineError } from '../engine/engine-error.js';
import type { QueryResult } from '../engine/engine-session.js';
import { contentTypeOf } from './formats.js';
import { statusOf } from './status.js';

const RETRY_AFTER_SECONDS = 1;

const COMPRESSORS: readonly (readonly [string, (body: Uint8Array) => Promise<Buffer>])[] = [
  ['zstd', promisify(zstdCompress)],
  ['gzip', (body) => promisify(gzip)(body, { level: 3 })],
  ['br', (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
  ['deflate', promisify(deflate)],
];

/** Answers with a statement's result, compressed by the first method in `accepted` that is known. */
export async function respondResult(
  response: ServerResponse,
  result: QueryResult,
  format: string,
  accepted: string | undefined,
): Promise<void> {
  response.setHeader('Content-Type', contentTypeOf(format));
  response.setHeader('X-ClickHouse-Format', format);
  response.setHeader('X-ClickHouse-Summary', summaryOf(result));
  await respondBody(response, 200, result.body, accepted);
}

/** Answers with an error in ClickHouse's form, which clients read code and name from. */
export async function respondError(
  response: ServerResponse,
  error: EngineError,
  version: string,
  accepted: string | undefined,
): Promise<void> {
  const status = statusOf(error.code);
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8');
  response.setHeader('X-ClickHouse-Exception-Code', String(error.code));
  if (status === 503) response.setHeader('Retry-After', String(RETRY_AFTER_SECONDS));
  const text = `Code: ${error.code}. DB::Exception: ${error.message} (${error.codeName}) (version ${version})\n`;
  await respondBody(response, status, Buffer.from(text), accepted);
}

async function respondBody(
  response: ServerResponse,
  status: number,
  body: Uint8Array,
  accepted: string | undefined,
): Promise<void> {
  response.statusCode = status;
  const compressor = accepted === undefined || body.length === 0 ? undefined : chooseCompressor(accepted);
  if (compressor !== undefined) response.setHeader('Content-Encoding', compressor[0]);
  const bytes = compressor === undefined ? body : await compressor[1](body);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

function chooseCompressor(accepted: string) {
  const names = new Set(accepted.split(',').map((item) => item.split(';')[0]?.trim().toLowerCase()));
  return COMPRESSORS.find(([name]) => names.has(name));
}

function summaryOf(result: QueryResult): string {
  return JSON.stringify({
    read_rows: String(result.rowsRead),
    read_bytes: String(result.bytesRead),
    written_rows: String(result.rowsWritten),
    written_bytes: String(result.bytesWritten),
    total_rows_to_read: '0',
    result_rows: '0',
    result_bytes: String(result.body.length),
    elapsed_ns: String(Math.round(result.elapsedSeconds * 1e9)),
  });
}
