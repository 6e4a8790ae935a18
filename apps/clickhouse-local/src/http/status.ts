// ClickHouse's own table, with what a caller of this server can meet besides: a full queue (202) and a body that is
// too large (307).
const CODES_BY_STATUS: readonly (readonly [status: number, codes: readonly number[]])[] = [
  [400, [6, 8, 15, 25, 26, 27, 36, 37, 38, 41, 44, 53, 62, 72, 117, 123, 167, 168, 223, 321, 376, 427, 441, 456, 457]],
  [400, [675, 676]],
  [401, [194]],
  [403, [192, 193, 497, 512, 516]],
  [404, [46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 152, 336, 511]],
  [408, [159]],
  [411, [381]],
  [413, [229, 307]],
  [415, [779]],
  [501, [48]],
  [503, [76, 202, 209, 439]],
];

const STATUS_BY_CODE = new Map(CODES_BY_STATUS.flatMap(([status, codes]) => codes.map((code) => [code, status])));

/** HTTP status of an error code, 500 for the many that have none of their own. */
export const statusOf = (code: number): number => STATUS_BY_CODE.get(code) ?? 500;
