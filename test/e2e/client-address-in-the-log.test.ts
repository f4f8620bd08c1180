import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

it('log.client_address: each line of a request has the client that trusted proxies name, or the peer', async () => {
  const postern = spawnPostern({
    dataDir: join(temporaryDirectory(), 'data'),
    env: { POSTERN__LOG__CLIENT_ADDRESS: 'true', POSTERN__HTTP__TRUSTED_PROXIES: '["127.0.0.1"]' },
  });
  onTestFinished(() => void postern.child.kill('SIGKILL'));
  const { plainPort } = await postern.ready;
  const send = async (request: string) => {
    const socket = connect(plainPort ?? 0, '127.0.0.1').end(request);
    await text(socket);
  };
  const forwarded = 'X-Forwarded-For: 198.51.100.9, 203.0.113.7\r\nConnection: close\r\n';
  await send(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\n${forwarded}\r\n`);
  await send(`GET /healthz HTTP/1.1\r\nHost: x\r\n${forwarded}\r\n`);
  await send('nonsense\r\n\r\n');
  postern.child.kill('SIGTERM');
  await postern.exited;
  const lines = postern
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ request_id: id }) => id !== undefined);
  expect(lines.map(({ msg, client_address: client }) => [msg, client])).toEqual([
    ['request', '203.0.113.7'],
    ['request refused before any route', '203.0.113.7'],
    ['request refused by the parser', '127.0.0.1'],
  ]);
});
