import { pollUntil } from '@jetton-analytics/testing';

interface Status {
  readonly clock: string;
  readonly inputs: readonly { readonly topic: string; readonly partitions: readonly { readonly position: string }[] }[];
  readonly windows: Readonly<Record<string, { readonly calculatedAt: string; readonly inputPosition: string }>>;
}

export interface RequestOptions {
  /** An object is sent as JSON, a text as it is. */
  readonly body?: object | string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

const keepText = (key: string, value: unknown, { source }: { source?: string }) =>
  key === 'changePercent' ? (source ?? value) : value;

/** JSON with every changePercent as the text that was sent, so that no digit, exponent or `-0` is lost on the way. */
function parseBody(body: string): unknown {
  return JSON.parse(body, keepText as (key: string, value: unknown) => unknown) as unknown;
}

/** A client of the service's HTTP interface at one base URL. */
export class ServiceClient {
  constructor(readonly baseUrl: string) {}

  /** Sends a request as it is given: POST where there is a body. */
  fetch(path: string, { body, key, headers = {}, method }: RequestOptions = {}): Promise<Response> {
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
    return fetch(this.baseUrl + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...json, ...(key !== undefined && { 'X-API-Key': key }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      // Many deployments share the processors of a test run: slow is no fault.
      signal: AbortSignal.timeout(60_000),
    });
  }

  async get(path: string, options: RequestOptions = {}): Promise<{ status: number; body: unknown }> {
    const response = await this.fetch(path, options);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, body: isJson ? parseBody(text) : text };
  }

  /** Operation 6. */
  jettonStatistics(jetton: string) {
    return this.get(`/v1/jettons/${jetton}/stats`);
  }

  /** Operation 7. */
  marketStatistics(jetton: string, pool: string) {
    return this.get(`/v1/jettons/${jetton}/markets/${pool}/stats`);
  }

  async status(): Promise<Status> {
    return (await this.get('/v1/status')).body as Status;
  }

  /** How many records of a topic have been consumed. */
  async consumed(topic: string): Promise<bigint> {
    const { inputs } = await this.status();
    const partitions = inputs.find((input) => input.topic === topic)?.partitions ?? [];
    return partitions.reduce((sum, { position }) => sum + BigInt(position), 0n);
  }

  /**
   * Waits until every window is calculated from at least `records` consumed records and, where `clock` is given, under
   * that clock and at that instant.
   */
  async caughtUp(
    records: bigint,
    { clock, calculatedAt }: { clock: string; calculatedAt?: string },
    timeoutMs = 300_000,
  ) {
    let seen: Status | undefined;
    const isThere = async () => {
      seen = await this.status();
      const windows = Object.values(seen.windows);
      return (
        seen.clock === clock &&
        windows.length === 7 &&
        windows.every((window) => BigInt(window.inputPosition) >= records) &&
        windows.every((window) => calculatedAt === undefined || window.calculatedAt === calculatedAt)
      );
    };
    try {
      await pollUntil(isThere, {
        what: `${records} records at ${calculatedAt ?? 'any instant'}`,
        timeoutMs,
        intervalMs: 250,
      });
    } catch (error) {
      // The windows first: what prints this may cut it.
      const last = JSON.stringify({ windows: seen?.windows, ...seen });
      throw new Error(`not caught up; the last status was ${last}`, { cause: error });
    }
  }
}
