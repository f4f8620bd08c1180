import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ERRORS } from '../../src/errors.ts';
import { createOpener } from './connection.ts';
import type { FuzzCase } from './fuzz-case.ts';
import { CaseRunner } from './run-case.ts';

const BODY = JSON.stringify({
  error: { code: 'not_found', message: ERRORS.not_found.message, request_id: 'r-1' },
});
const answer = (connection: 'close' | 'keep-alive', body = BODY) =>
  `HTTP/1.1 404 Not Found\r\nDate: today\r\nContent-Type: application/json\r\nRequest-Id: r-1\r\n` +
  `Connection: ${connection}\r\nContent-Length: ${BODY.length}\r\n\r\n${body}`;

/** A service that does `behave` with each request; every case times out after a moment. */
async function runnerAgainst(behave: (socket: Socket) => void): Promise<CaseRunner> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('data', () => behave(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return new CaseRunner(createOpener({ httpsPort: 0, plainPort: port, ca: '' }), 200);
}

const CASE: FuzzCase = {
  numbers: [1],
  name: 'a test',
  listener: 'plain',
  steps: [{ send: Buffer.from('GET / HTTP/1.1\r\n\r\n') }],
  ending: 'keep',
  expected: [{}],
  leastAnswers: 1,
};

describe('a case', () => {
  it('passes when it is answered, several times on one connection', async () => {
    const runner = await runnerAgainst((socket) => socket.write(answer('keep-alive')));
    expect(await runner.run(CASE)).toBeUndefined();
    expect(await runner.run(CASE)).toBeUndefined();
    expect(runner.outcomes).toEqual(new Map([['404', 2]]));
  });

  it('passes when the answer says close and the connection is closed', async () => {
    const runner = await runnerAgainst((socket) => socket.end(answer('close')));
    expect(await runner.run(CASE)).toBeUndefined();
    expect(await runner.run({ ...CASE, ending: 'await_close' })).toBeUndefined();
    expect(await runner.run({ ...CASE, ending: 'finish' })).toBeUndefined();
  });

  it.each<[string, (socket: Socket) => void, Partial<FuzzCase>]>([
    ['nothing comes', () => {}, {}],
    ['nothing comes and the client ends its side', () => {}, { ending: 'finish' }],
    ['the connection closes without an answer', (socket) => socket.end(), {}],
    ['the answer breaks off', (socket) => socket.end(answer('close').slice(0, -1)), {}],
    ['a second answer comes', (socket) => socket.write(answer('keep-alive').repeat(2)), {}],
    ['the connection stays open after close', (socket) => socket.write(answer('close')), {}],
    ['the connection never ends', (socket) => socket.write(answer('keep-alive')), { ending: 'await_close' }],
    ['the answer is wrong', (socket) => socket.write(answer('keep-alive', BODY.replace('r-1', 'r-2'))), {}],
  ])('fails when %s, and reports all that was sent', async (_, behave, changed) => {
    const runner = await runnerAgainst(behave);
    expect(await runner.run({ ...CASE, ...changed })).toMatchObject({ numbers: [1], steps: CASE.steps });
  });
});
