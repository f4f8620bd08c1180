import { once } from 'node:events';
import { createServer } from 'node:https';
import { expect, it, onTestFinished } from 'vitest';
import { issueLocalhostCertificate } from '../../src/http/server/certificate.ts';
import { startTestService } from '../support/service.ts';
import { aWorld } from './world.ts';

/** A service that answers `/readyz` so. */
async function aService(
  answer: (authorization: string | undefined) => readonly [status: number, body: string],
) {
  const server = createServer(await issueLocalhostCertificate(Date.now()), (req, res) => {
    const [status, body] = answer(req.headers.authorization);
    res.writeHead(req.url === '/readyz' ? status : 404).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { POSTERN__HTTP__PORT: String(address !== null && typeof address === 'object' && address.port) };
}

it('ends with 0 while the service is ready, and with 1 when it is not there', async () => {
  const service = await startTestService();
  const world = aWorld();
  const ask = (...more: string[]) => world.postern(['health', '--port', String(service.httpsPort), ...more]);
  expect(await ask()).toMatchObject({ code: 0, stdout: 'ready\n' });
  expect((await ask('--json')).json()).toEqual({
    status: 'ready',
    states: expect.objectContaining({ storage: 'ok' }),
  });
  // Nothing listens there; the port of a service that stopped may be another test's at once.
  const { code, stdout } = await world.postern(['health', '--port', '1']);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^unreachable\nservice: port \d+ does not answer: .*ECONNREFUSED.*\n$/),
  ]);
});

it('ends with 1 where a part fails, which it names, and sends no token to what may be another program', async () => {
  const answered: (string | undefined)[] = [];
  const env = await aService((authorization) => {
    answered.push(authorization);
    const states = { storage: 'failing', rules: 'degraded', accepting: 'ok' };
    return [503, JSON.stringify({ status: 'not_ready', states })];
  });
  const { code, stdout } = await aWorld().postern(['health'], {
    env: { ...env, POSTERN__METRICS__TOKEN: 'secret-of-the-metrics', POSTERN__HTTP__HOST: '0.0.0.0' },
  });
  expect([code, stdout]).toEqual([1, 'not_ready, storage failing, rules degraded\n']);
  expect(answered).toEqual([undefined]);
});

it('takes another program on the port for no service', async () => {
  const world = aWorld();
  const page = await world.postern(['health'], { env: await aService(() => [200, '<html>']) });
  expect([page.code, page.stdout]).toEqual([1, expect.stringMatching(/^unreachable\nservice: /)]);
  const other = await world.postern(['health'], { env: await aService(() => [404, '{"error":{}}']) });
  expect([other.code, other.stdout]).toEqual([1, expect.stringMatching(/^unreachable\n.*it answers 404\n$/)]);
});

it('asks which port it is where any free one was to be taken', async () => {
  const { code, stderr } = await aWorld().postern(['health'], { env: { POSTERN__HTTP__PORT: '0' } });
  expect([code, stderr]).toEqual([2, 'postern: http.port is 0, any free one: say which by --port\n']);
});
