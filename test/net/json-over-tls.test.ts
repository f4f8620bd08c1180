import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { issueLocalhostCertificate } from '../../src/http/server/certificate.ts';
import { JsonClient, type JsonClientOptions } from '../../src/net/json-client.ts';
import type { DnsResolver } from '../../src/provider-kit/index.ts';

const trusted = getCACertificates('default');

/** A real HTTPS server on loopback, and a client that may connect to it. */
async function aPair(
  listener: RequestListener,
  { isTrusted = true, ...more }: Partial<JsonClientOptions> & { readonly isTrusted?: boolean } = {},
) {
  const { ca, cert, key } = await issueLocalhostCertificate(Date.now());
  setDefaultCACertificates(isTrusted ? [...trusted, ca] : trusted);
  const server: Server = createServer({ cert, key }, listener);
  let connections = 0;
  server.on('secureConnection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const asked: string[] = [];
  const dns: DnsResolver = {
    mx: async () => ({ outcome: 'nodata' }),
    addresses: async (host) => {
      asked.push(host);
      // The second answer differs: an implementation that looks the name up again would fail.
      return { outcome: 'found', records: [asked.length % 2 === 1 ? '127.0.0.1' : '127.0.0.9'] };
    },
  };
  const origin = `https://localhost:${port}`;
  const client = new JsonClient({
    ...{ dns, concurrency: 4, maxBytes: 10_000, timeoutMs: 5_000 },
    origins: new Set([origin]),
    privateOrigins: new Set([origin]),
    onAnswer: () => undefined,
    onBreaker: () => undefined,
    ...more,
  });
  onTestFinished(async () => {
    client.close();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    setDefaultCACertificates(trusted);
  });
  return { client, origin, asked, connections: () => connections };
}

it('connects to the address that was checked, over a kept connection', async () => {
  const { client, origin, asked, connections } = await aPair((_request, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync('{"score":7}'));
  });
  for (let turn = 0; turn < 3; turn++)
    expect(await client.getJson(`${origin}/v1`)).toEqual({ outcome: 'ok', status: 200, body: { score: 7 } });
  expect([asked.length, connections()]).toEqual([3, 1]);
});

it('connects to nothing on this machine unless the operator names it', async () => {
  const { client, origin, connections } = await aPair((_request, response) => void response.end('1'), {
    privateOrigins: new Set(),
  });
  expect(await client.getJson(origin)).toEqual({ outcome: 'refused', code: 'address' });
  expect(connections()).toBe(0);
});

it('trusts no certificate that the system does not', async () => {
  const { client, origin } = await aPair((_request, response) => void response.end('1'), {
    isTrusted: false,
  });
  expect(await client.request(origin, { method: 'POST' })).toMatchObject({
    outcome: 'error',
    code: expect.stringMatching(/CERT|SELF_SIGNED|UNABLE_TO/),
  });
});

it('retries where a connection breaks, and aborts a compression bomb at the limit', async () => {
  let turn = 0;
  const { client, origin } = await aPair((request, response) => {
    if (request.url === '/bomb') {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(Buffer.alloc(8_000_000, ' ')));
    } else if (turn++ === 0) request.socket.destroy();
    else response.end('{"turn":2}');
  });
  expect(await client.getJson(`${origin}/v1`)).toMatchObject({ outcome: 'ok', body: { turn: 2 } });
  expect(await client.getJson(`${origin}/bomb`)).toEqual({ outcome: 'malformed', code: 'body' });
  expect(await client.getJson(`${origin}/v1`)).toMatchObject({ outcome: 'ok' });
});

it('ends by timeout for a server that never ends its answer', async () => {
  const { client, origin } = await aPair((_request, response) => void response.write('{"a":'), {
    timeoutMs: 100,
  });
  expect(await client.getJson(origin)).toEqual({ outcome: 'timeout' });
});

it('is free for the next request after a server that switched protocols in place of an answer', async () => {
  const switching = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n';
  const { client, origin } = await aPair(
    (request, response) =>
      request.method === 'POST' ? void request.socket.end(switching) : void response.end('7'),
    { concurrency: 1, timeoutMs: 1_000 },
  );
  expect(await client.request(origin, { method: 'POST' })).toEqual({ outcome: 'error' });
  expect(await client.getJson(origin)).toEqual({ outcome: 'ok', status: 200, body: 7 });
});
