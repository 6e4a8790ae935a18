import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pollUntil } from '@jetton-analytics/testing';

interface AnyValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
}
interface Attribute {
  readonly key: string;
  readonly value: AnyValue;
}
interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}
interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** A span as a collector gets it. */
export interface CollectedSpan extends Omit<SentSpan, 'attributes' | 'kind'> {
  readonly service: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes: Readonly<Record<string, string>>;
}

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const recordOf = (attributes: readonly Attribute[]): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]));

/** Listens as an OpenTelemetry collector does (OTLP over HTTP, JSON) and keeps whatever arrives. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** Headers and bodies as they came, to look for what must not be in them. */
  readonly received: string[] = [];
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      this.received.push(body);
      this.headers.push({ ...request.headers, path: request.url });
      this.#take(JSON.parse(body) as ExportRequest);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  readonly headers: Record<string, unknown>[] = [];

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The first span that fits, waited for. */
  find(what: string, fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
    return pollUntil(() => this.spans.find(fits), { what, timeoutMs: 120_000 });
  }

  #take({ resourceSpans }: ExportRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = recordOf(resource.attributes)['service.name'] ?? '';
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({
          ...span,
          service,
          kind: kinds[span.kind] ?? 'internal',
          attributes: recordOf(span.attributes),
        });
      }
    }
  }
}
