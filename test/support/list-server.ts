import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ListServer {
  readonly port: number;
  /** Plain `http:`, which Postern allows on loopback only. */
  readonly url: string;
  /** Headers of each request, in order. */
  readonly asked: readonly Record<string, unknown>[];
  /** Replace to change the answer from now on. */
  answer: RequestListener;
}

/** A web server on loopback that answers every request alike; closed when the test ends. */
export async function startListServer(answer: RequestListener): Promise<ListServer> {
  const asked: Record<string, unknown>[] = [];
  const handler = { answer };
  const server: Server = createServer((request, response) => {
    asked.push({ ...request.headers });
    handler.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(handler, { port, url: `http://127.0.0.1:${port}/list.txt`, asked });
}

/** Answers a plain list with these domains. */
export function plainList(domains: readonly string[], headers: Record<string, string> = {}): RequestListener {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', ...headers });
    response.end(`# A list.\n${domains.join('\n')}\n`);
  };
}
