import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startDnsServer } from '../support/dns-server.ts';
import { aMailHost } from '../support/mail-hosts.ts';
import { aClient, keyOf, spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

it('what mail hosts said and what was spent of the day are there after a restart', async () => {
  const host = await aMailHost();
  const firm = (name: string) => ({
    [name]: { MX: [{ exchange: `mx.${name}`, preference: 10 }] },
    [`mx.${name}`]: { A: ['127.0.0.1'] },
  });
  const dns = await startDnsServer({ ...firm('one.example'), ...firm('two.example') });
  onTestFinished(() => dns.close());
  const dataDir = join(temporaryDirectory(), 'data');
  const start = async (key?: string) => {
    const postern = spawnPostern({
      dataDir,
      env: {
        POSTERN__DNS__SERVERS: `["${dns.address}"]`,
        POSTERN__CHECK__DEADLINE_MS: '15000',
        POSTERN__PROVIDERS__CATCH_ALL__MODE: 'live',
        POSTERN__PROVIDERS__CATCH_ALL__HELO_NAME: 'probe.example.net',
        POSTERN__PROVIDERS__CATCH_ALL__PORT: String(host.port),
        POSTERN__PROVIDERS__CATCH_ALL__ALLOW_PRIVATE_ADDRESSES: 'true',
        POSTERN__PROVIDERS__CATCH_ALL__DAILY_PROBES: '1',
      },
    });
    onTestFinished(() => void postern.child.kill('SIGKILL'));
    const { httpsPort } = await postern.ready;
    const client = aClient(dataDir, httpsPort, key ?? keyOf(postern));
    const isCatchAll = async (email: string) => (await client.check(email)).json.signals.domain.is_catch_all;
    const stop = async () => {
      client.close();
      postern.child.kill('SIGTERM');
      expect(await postern.exited).toEqual({ code: 0, signal: null });
    };
    return { isCatchAll, stop, key: key ?? keyOf(postern) };
  };

  const first = await start();
  expect(await first.isCatchAll('jane@one.example')).toBe(true);
  await first.stop();
  expect(host.sessions).toHaveLength(2);

  const second = await start(first.key);
  expect(await second.isCatchAll('john@one.example')).toBe(true);
  // The one probe of the day is used up.
  expect(await second.isCatchAll('john@two.example')).toBe(false);
  await second.stop();
  expect(host.sessions).toHaveLength(2);
});
