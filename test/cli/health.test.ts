import { once } from 'node:events';
import { createServer } from 'node:https';
import { expect, it, onTestFinished } from 'vitest';
import { issueLocalhostCertificate } from '../../src/http/server/certificate.ts';
import { startTestService } from '../support/service.ts';
import { aWorld } from './world.ts';

/** A service that gives this answer to `/readyz`. */
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

it('exits with 0 while the service is ready, and with 1 when it does not run', async () => {
  const service = await startTestService();
  const world = aWorld();
  const ask = (...more: string[]) => world.postern(['health', '--port', String(service.httpsPort), ...more]);
  expect(await ask()).toMatchObject({ code: 0, stdout: 'ready\n' });
  expect((await ask('--json')).json()).toEqual({
    status: 'ready',
    states: expect.objectContaining({ storage: 'ok' }),
  });
  // No process listens there; the port of a stopped service may already be used by another test.
  const { code, stdout } = await world.postern(['health', '--port', '1']);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^unreachable\nservice: port \d+ does not answer: .*ECONNREFUSED.*\n$/),
  ]);
});

it("exits with 1 where a part fails, names the part, and sends no token to a port that may be another program's", async () => {
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

it('does not take another program on the port for the service', async () => {
  const world = aWorld();
  const page = await world.postern(['health'], { env: await aService(() => [200, '<html>']) });
  expect([page.code, page.stdout]).toEqual([1, expect.stringMatching(/^unreachable\nservice: /)]);
  const other = await world.postern(['health'], { env: await aService(() => [404, '{"error":{}}']) });
  expect([other.code, other.stdout]).toEqual([1, expect.stringMatching(/^unreachable\n.*it answers 404\n$/)]);
  for (const answer of ['{"status":"ready"}', 'null']) {
    const similar = await world.postern(['health'], { env: await aService(() => [200, answer]) });
    expect([similar.code, similar.stdout]).toEqual([
      1,
      expect.stringMatching(/^unreachable\n.*it answers 200\n$/),
    ]);
  }
});

it('requires the port where the configuration uses any free port', async () => {
  const { code, stderr } = await aWorld().postern(['health'], { env: { POSTERN__HTTP__PORT: '0' } });
  expect([code, stderr]).toEqual([2, 'postern: http.port is 0, any free one: say which by --port\n']);
});
