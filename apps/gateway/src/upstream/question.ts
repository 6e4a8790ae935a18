/** What an app behind gets of a request. Neither a client's credential nor any other of its headers passes. */
export interface Question {
  readonly path: string;
  readonly requestId: string;
  /** Without encodings. */
  readonly ifNoneMatch?: string | undefined;
  /** Of a POST: JSON. */
  readonly body?: Buffer | undefined;
}
