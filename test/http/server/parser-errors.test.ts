import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from './expect-refusal.ts';
import { exchange, openListeners, openSocket, parseAnswer, readToEnd } from './open-listeners.ts';

const HOST = 'Host: localhost\r\n';

describe('a message that node’s parser refuses', () => {
  it.each([
    ['garbage', 'hello there\r\n\r\n'],
    ['an unknown method', `GRAB / HTTP/1.1\r\n${HOST}\r\n`],
    ['two different lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    [
      'length beside chunks',
      `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a space in a header name', `GET / HTTP/1.1\r\n${HOST}A b: 1\r\n\r\n`],
    ['a broken chunk', `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ])('%s is answered 400 bad_request in the envelope', async (_, bytes) => {
    const { httpsPort } = await openListeners({}, () => {});
    expectRefusal(await exchange(httpsPort, bytes), 'bad_request');
  });

  it('is answered on the plain port too', async () => {
    const { plain } = await openListeners();
    expectRefusal(await exchange(plain, 'hello there\r\n\r\n', 'plain'), 'bad_request');
  });

  it('answers headers over 16 KiB 431 headers_too_large', async () => {
    const { httpsPort } = await openListeners();
    const bytes = `GET / HTTP/1.1\r\n${HOST}A: ${'x'.repeat(100_000)}\r\n\r\n`;
    expectRefusal(await exchange(httpsPort, bytes), 'headers_too_large');
  });

  it('is never answered in place of an earlier request', async () => {
    const waiting: ServerResponse[] = [];
    const { httpsPort } = await openListeners({}, (_, res) => void waiting.push(res));
    const socket = await openSocket(httpsPort);
    const text = readToEnd(socket);
    // One write is one TLS record: both are parsed in the same event-loop iteration.
    socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n\0\0garbage\r\n\r\n`);
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.end('mine');
    expect(parseAnswer(await text)).toMatchObject({ status: 200, headers: { connection: 'close' } });
  });

  it('does not replace the answers of earlier requests, however many were pipelined', async () => {
    const waiting: ServerResponse[] = [];
    const { httpsPort } = await openListeners({}, (_, res) => void waiting.push(res));
    const socket = await openSocket(httpsPort);
    const text = readToEnd(socket);
    socket.write(`${`GET / HTTP/1.1\r\n${HOST}\r\n`.repeat(3)}\0\0garbage\r\n\r\n`);
    await expect.poll(() => waiting.length).toBe(3);
    for (const [place, res] of waiting.entries()) res.end(`answer ${place}`);
    expect((await text).match(/answer \d/g)).toEqual(['answer 0', 'answer 1', 'answer 2']);
  });

  it('is answered after the answer of the previous request, which is still in the send buffer', async () => {
    // More than the buffers of both sides hold (tcp(7): some 6 and 4 MB), and little enough to be read before a lingering
    // connection is closed.
    const large = 'x'.repeat(16 * 2 ** 20);
    const served: ServerResponse[] = [];
    const { httpsPort } = await openListeners({}, (_, res) => {
      res.setHeader('Content-Length', large.length);
      served.push(res.end(large));
    });
    const socket = await openSocket(httpsPort);
    socket.pause();
    socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    await expect.poll(() => served.length).toBe(1);
    const peer = served[0]?.req.socket;
    const before = peer?.bytesRead ?? 0;
    socket.write('hello there\r\n\r\n');
    await expect.poll(() => peer?.bytesRead).toBeGreaterThan(before);
    expect(served[0]?.writableFinished).toBe(false);
    const text = readToEnd(socket.resume());
    const { status, body } = parseAnswer(await text);
    expect(status).toBe(200);
    expectRefusal(parseAnswer(body.slice(large.length)), 'bad_request');
  });
});

describe('a request that is refused before any route', () => {
  it.each([
    ['on the plain port', 'plain', HOST, 'https_required'],
    ['without Host', 'tls', '', 'bad_request'],
  ] as const)(
    '%s is answered even when the rest of the packet is not a request',
    async (_, over, host, code) => {
      const { httpsPort, plain } = await openListeners();
      const bytes = `POST / HTTP/1.1\r\n${host}\r\n{"email":"a body of no known length"}`;
      expectRefusal(await exchange(over === 'plain' ? plain : httpsPort, bytes, over), code);
    },
  );

  it('HTTP/1.1 without Host, 400, with the caller’s request id', async () => {
    const { httpsPort } = await openListeners();
    expectRefusal(
      await exchange(httpsPort, 'GET / HTTP/1.1\r\nRequest-Id: mine-1\r\n\r\n'),
      'bad_request',
      'mine-1',
    );
  });

  it('two Host headers, 400', async () => {
    const { httpsPort } = await openListeners();
    expectRefusal(await exchange(httpsPort, `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`), 'bad_request');
  });

  it('serves HTTP/1.0 without Host', async () => {
    const { httpsPort } = await openListeners();
    expect(await exchange(httpsPort, 'GET / HTTP/1.0\r\n\r\n')).toMatchObject({
      status: 200,
      body: 'served',
    });
  });

  it.each([
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\nRequest-Id: mine-2\r\n\r\n'],
    [
      'an expectation nobody can meet',
      `POST / HTTP/1.1\r\n${HOST}Request-Id: mine-2\r\nExpect: 200-ok\r\n\r\n`,
    ],
  ])('%s, 400', async (_, bytes) => {
    const { httpsPort } = await openListeners();
    expectRefusal(await exchange(httpsPort, bytes), 'bad_request', 'mine-2');
  });
});

describe('an upgrade request', () => {
  it.each(['h2c', 'TLS/1.2', 'websocket'])('to %s is ignored: its request is answered', async (protocol) => {
    const { httpsPort } = await openListeners({}, async (req, res) => {
      let body = '';
      for await (const chunk of req) body += chunk;
      res.end(`got ${body}`);
    });
    const offer = `${HOST}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`;
    const answered = { status: 200, headers: { connection: 'close' } };
    expect(
      await exchange(httpsPort, `POST / HTTP/1.1\r\n${offer}Content-Length: 4\r\n\r\nbody`),
    ).toMatchObject({ ...answered, body: expect.stringContaining('got body') });
    // The second is not answered: the connection is closed, and the answer says so, so that the client does not wait forever.
    expect(
      await exchange(httpsPort, `GET / HTTP/1.1\r\n${offer}\r\nGET / HTTP/1.1\r\n${HOST}\r\n`),
    ).toMatchObject(answered);
  });
});

describe('Expect: 100-continue', () => {
  const POST = `POST / HTTP/1.1\r\n${HOST}Content-Length: 4\r\nExpect: 100-continue\r\n\r\n`;

  it('is answered without a 100 when the body is not needed, and the connection is closed', async () => {
    const { httpsPort } = await openListeners({}, (_, res) => {
      res.statusCode = 401;
      res.end('no');
    });
    expect(await exchange(httpsPort, POST)).toMatchObject({ status: 401, headers: { connection: 'close' } });
  });

  it('is answered with 100 as soon as the body is read', async () => {
    const { httpsPort } = await openListeners({}, async (req, res) => {
      let body = '';
      for await (const chunk of req) body += chunk;
      res.end(`got ${body}`);
    });
    const socket = await openSocket(httpsPort);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(POST);
    await expect.poll(() => text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('body');
    await expect.poll(() => text).toMatch(/200 OK.*keep-alive.*got body/is);
  });
});
