import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as sent (attributes unwrapped): https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Attributes of the service that sends. */
  readonly resource: Readonly<Record<string, unknown>>;
  /** Request bodies, as received. */
  readonly bodies: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
  close(): void;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const valuesOf = (attributes: readonly KeyValue[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** A collector of traces on loopback. `status`: the HTTP status of its answers; null never answers. */
export async function startCollector(status: number | null = 200): Promise<Collector> {
  const [spans, bodies, headers]: [ReceivedSpan[], string[], IncomingHttpHeaders[]] = [[], [], []];
  const resource = {};
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      if (request.method !== 'POST' || request.url !== '/v1/traces') throw new Error(`${request.url}`);
      bodies.push(body);
      headers.push(request.headers);
      for (const sent of JSON.parse(body).resourceSpans) {
        Object.assign(resource, valuesOf(sent.resource.attributes));
        for (const scope of sent.scopeSpans)
          spans.push(
            ...scope.spans.map((span: ReceivedSpan & { attributes: KeyValue[] }) => ({
              ...span,
              attributes: valuesOf(span.attributes),
            })),
          );
      }
      if (status === null) return;
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, spans, resource, bodies, headers, close };
}
