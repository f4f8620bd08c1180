import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import packet from 'dns-packet';
import { issueLocalhostCertificate } from '../../src/http/server/certificate.ts';
import { answerFrom, type Zone } from './dns-zone.ts';

export interface DohServer {
  readonly url: string;
  /** PEM of the CA that a client must trust. */
  readonly ca: string;
  /** Request headers of each question, in order. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** Number of connections opened so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** A real DNS over HTTPS server on loopback, with a certificate of its own. */
export async function startDohServer(zone: Zone, headers: Record<string, string> = {}): Promise<DohServer> {
  const { ca, cert, key } = await issueLocalhostCertificate(Date.now());
  let connections = 0;
  const received: IncomingHttpHeaders[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    received.push(request.headers);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, questions = [] } = packet.decode(Buffer.concat(chunks));
      const [question] = questions;
      if (!question) throw new Error('a question without a question');
      const { rcode, answers, authorities } = answerFrom(question, zone, undefined);
      response.writeHead(200, { 'content-type': 'application/dns-message', ...headers });
      const sections = { questions, answers: [...answers], authorities: [...authorities] };
      response.end(packet.encode({ type: 'response', id: id ?? 0, flags: rcode, ...sections }));
    });
  });
  server.on('secureConnection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}/dns-query`,
    ca,
    headers: received,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
