import { X509Certificate } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { exchange, openListeners, openSocket, parseAnswer, pems, readToEnd } from './open-listeners.ts';

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const LONG = 60_000;

async function withOneInFlight() {
  const responses: ServerResponse[] = [];
  const listeners = await openListeners({}, (_, res) => void responses.push(res));
  const socket = await openSocket(listeners.httpsPort);
  const text = readToEnd(socket);
  socket.write(GET);
  await expect.poll(() => responses.length).toBe(1);
  return { listeners, text, responses };
}

/** Whether our server accepts a connection: a closed port may already be used by another test. */
async function isOurs(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () =>
    resolve(new X509Certificate(pems.cert).raw.equals(socket.getPeerX509Certificate()?.raw ?? Buffer.of())),
  ).once('error', () => resolve(false));
  return await promise.finally(() => socket.destroy());
}

describe('drain', () => {
  it('answers requests in flight with Connection: close, and only then resolves', async () => {
    const { listeners, text, responses } = await withOneInFlight();
    let drained = false;
    const drain = listeners.drain(LONG).then(() => {
      drained = true;
    });
    await new Promise(setImmediate);
    expect(drained).toBe(false);
    responses[0]?.end('done');
    await drain;
    expect(parseAnswer(await text)).toMatchObject({
      status: 200,
      body: 'done',
      headers: { connection: 'close' },
    });
  });

  it('closes the connection also where the answer had begun as keep-alive', async () => {
    const { listeners, text, responses } = await withOneInFlight();
    responses[0]?.writeHead(200, { 'Content-Length': 4 }).write('do');
    const drain = listeners.drain(LONG);
    responses[0]?.end('ne');
    await drain;
    expect(parseAnswer(await text).body).toBe('done');
  });

  it('also answers the request that follows an answer with keep-alive', async () => {
    const responses: ServerResponse[] = [];
    const { httpsPort, drain } = await openListeners({}, (_, res) => void responses.push(res));
    const socket = await openSocket(httpsPort);
    socket.write(GET);
    await expect.poll(() => responses.length).toBe(1);
    responses[0]?.writeHead(200, { 'Content-Length': 5 }).write('fir');
    const drained = drain(LONG);
    responses[0]?.end('st');
    let first = '';
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        first += chunk;
        if (first.endsWith('first')) resolve();
      });
    });
    const text = readToEnd(socket);
    socket.write(GET);
    await expect.poll(() => responses.length).toBe(2);
    responses[1]?.end('second');
    await drained;
    expect(parseAnswer(await text)).toMatchObject({ body: 'second', headers: { connection: 'close' } });
  });

  it('answers all pipelined requests of one connection, and closes it after the last', async () => {
    const responses: ServerResponse[] = [];
    const { httpsPort, drain } = await openListeners({}, (_, res) => void responses.push(res));
    const socket = await openSocket(httpsPort);
    const text = readToEnd(socket);
    socket.write(GET + GET);
    await expect.poll(() => responses.length).toBe(2);
    const drained = drain(LONG);
    socket.write(GET);
    await expect.poll(() => responses.length).toBe(3);
    for (const [place, res] of responses.entries()) res.end(`answer ${place}`);
    await drained;
    const bodies = (await text).match(/answer \d/g);
    expect(bodies).toEqual(['answer 0', 'answer 1', 'answer 2']);
    expect((await text).match(/Connection: [\w-]+/gi)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: close',
    ]);
  });

  it('accepts no new connection', async () => {
    const { listeners, responses } = await withOneInFlight();
    expect(await isOurs(listeners.httpsPort)).toBe(true);
    const drain = listeners.drain(LONG);
    expect(await isOurs(listeners.httpsPort)).toBe(false);
    responses[0]?.end();
    await drain;
  });

  it('answers a request that was in transit on a kept connection', async () => {
    const { httpsPort, drain } = await openListeners();
    const kept = await openSocket(httpsPort);
    kept.write(GET);
    await new Promise((resolve) => kept.once('data', resolve));
    const text = readToEnd(kept);
    const drained = drain(LONG);
    kept.write(GET);
    await drained;
    expect(parseAnswer(await text)).toMatchObject({
      status: 200,
      body: 'served',
      headers: { connection: 'close' },
    });
  });

  it('does not wait for idle, silent or half-open connections', async () => {
    const patient = { headersTimeoutMs: LONG, requestTimeoutMs: LONG, idleTimeoutMs: LONG };
    const { httpsPort, plain, drain } = await openListeners(patient);
    const idle = await openSocket(httpsPort);
    idle.write(GET);
    await new Promise((resolve) => idle.once('data', resolve));
    const others = [openSocket(httpsPort), openSocket(plain, 'plain'), openSocket(httpsPort, 'plain')];
    const texts = [idle, ...(await Promise.all(others))].map(readToEnd);
    // Connections are accepted in order: once a later one is served, the earlier ones are accepted.
    for (const over of ['tls', 'plain'] as const) {
      await exchange(
        over === 'tls' ? httpsPort : plain,
        GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
        over,
      );
    }
    await drain(LONG);
    expect(await Promise.all(texts)).toEqual(['', '', '', '']);
  });

  it('closes remaining connections at the deadline', async () => {
    const { listeners, text } = await withOneInFlight();
    await listeners.drain(1);
    expect(await text).toBe('');
  });
});
