import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { faultsOf } from '../../app/config/load.ts';
import { exchange, HTTP, openListeners, pems } from './open-listeners.ts';

async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('startListeners', () => {
  it('serves HTTPS and reports the free ports that it uses', async () => {
    const { httpsPort, plainPort } = await openListeners();
    expect(httpsPort).toBeGreaterThan(0);
    expect(plainPort).not.toBe(httpsPort);
    const bytes = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(await exchange(httpsPort, bytes)).toMatchObject({ status: 200, body: 'served' });
    expect(pems.ca).not.toBe(pems.cert);
  });

  it.each(['http/1.1', 'http/1.0'])(
    'serves a client that offers %s alone in its TLS handshake',
    async (protocol) => {
      const { httpsPort } = await openListeners();
      const socket = connect({ host: '127.0.0.1', port: httpsPort, ca: pems.ca, ALPNProtocols: [protocol] });
      onTestFinished(() => void socket.destroy());
      await once(socket, 'secureConnect');
      expect(socket.alpnProtocol).toBe(protocol);
    },
  );

  it.each([
    ['port', 'http.port'],
    ['plainPort', 'http.plain_port'],
  ] as const)('names the key when %s is taken', async (field, key) => {
    const port = await takenPort();
    expect(await faultsOf(() => openListeners({ [field]: port }))).toEqual([
      `${key}: cannot listen on 127.0.0.1 port ${port}: another process listens there`,
    ]);
  });

  it('names metrics.port when that is taken, and closes all other ports', async () => {
    const port = await takenPort();
    const { httpsPort, drain } = await openListeners();
    await drain(0);
    expect(await faultsOf(() => openListeners({ port: httpsPort }, undefined, {}, port))).toEqual([
      `metrics.port: cannot listen on 127.0.0.1 port ${port}: another process listens there`,
    ]);
    expect((await openListeners({ port: httpsPort })).httpsPort).toBe(httpsPort);
  });

  it('closes both ports when one cannot be opened', async () => {
    const port = await takenPort();
    const free = await takenPort();
    expect(free).not.toBe(port);
    const { httpsPort, drain } = await openListeners();
    await drain(0);
    await faultsOf(() => openListeners({ port: httpsPort, plainPort: port }));
    expect((await openListeners({ port: httpsPort })).httpsPort).toBe(httpsPort);
  });

  it('names an address that this machine does not have', async () => {
    // TEST-NET-1 (RFC 5737) belongs to no machine.
    expect(await faultsOf(() => openListeners({ ...HTTP, host: '192.0.2.1' }))).toEqual([
      'http.host: cannot listen on 192.0.2.1 port 0: this machine does not have that address',
    ]);
  });
});
