import { describe, expect, it, onTestFinished } from 'vitest';
import { aMailHost, type MailHostOptions, refusesUnknown } from '../../support/mail-hosts.ts';
import { startTestService } from '../../support/service.ts';

const token = 'a-token-for-the-metrics';

/** A service that may ask one mail host on loopback, which receives the mail of `firm.example`. */
async function aService(
  options: MailHostOptions = {},
  { catchAll = {}, deadlineMs = 10_000 }: { catchAll?: object; deadlineMs?: number } = {},
) {
  const host = await aMailHost(options);
  const service = await startTestService(
    {
      check: { deadline_ms: deadlineMs },
      metrics: { token },
      providers: {
        catch_all: {
          helo_name: 'probe.example.net',
          port: host.port,
          allow_private_addresses: true,
          ...catchAll,
        },
      },
    },
    {
      zone: {
        'firm.example': { MX: [{ exchange: 'mx.firm.example', preference: 10 }] },
        'mx.firm.example': { A: ['127.0.0.1'] },
      },
    },
  );
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.stop();
    return stopped;
  };
  onTestFinished(stop);
  const check = async () => {
    const { json, headers } = await service.check('jane@firm.example');
    return { isCatchAll: json.signals.domain.is_catch_all, degraded: headers['postern-degraded'] };
  };
  const probes = async (outcome: string) => {
    const { text } = await service.send({ path: '/metrics', headers: { authorization: `Bearer ${token}` } });
    const line = new RegExp(`^postern_smtp_probes_total\\{outcome="${outcome}"\\} (\\d+)`, 'm');
    return Number(line.exec(text)?.[1]);
  };
  return { host, service, stop, check, probes };
}

/** The host answers no session before `open` is called. */
function aGate() {
  const gate = Promise.withResolvers<void>();
  return { greeting: () => gate.promise, open: gate.resolve };
}

describe('a service with a helo_name', () => {
  it('in mode cached answers while the mail host is silent, and uses its answer later', async () => {
    const { greeting, open } = aGate();
    const { host, check, probes } = await aService({ greeting });
    expect(await check()).toEqual({ isCatchAll: false, degraded: undefined });
    expect(await probes('all_accepted')).toBe(0);
    open();
    await expect.poll(() => check()).toEqual({ isCatchAll: true, degraded: undefined });
    expect(await probes('all_accepted')).toBe(1);
    expect(host.sessions.map(({ helo, sender }) => [helo, sender])).toEqual([
      ['probe.example.net', ''],
      ['probe.example.net', ''],
    ]);
    expect(host.sessions.flatMap(({ recipients }) => recipients).join()).not.toContain('jane');
  });

  it('in mode live has the result in the first check', async () => {
    const { check, probes } = await aService({ recipients: refusesUnknown }, { catchAll: { mode: 'live' } });
    expect(await check()).toEqual({ isCatchAll: false, degraded: undefined });
    expect(await probes('no_such_mailbox')).toBe(1);
  });

  it('in mode live answers at its deadline, and the late result is used in the next check', async () => {
    const { greeting, open } = aGate();
    const { host, check } = await aService({ greeting }, { catchAll: { mode: 'live' }, deadlineMs: 400 });
    expect(await check()).toEqual({ isCatchAll: false, degraded: 'catch_all' });
    open();
    await expect.poll(() => check()).toEqual({ isCatchAll: true, degraded: undefined });
    expect(host.sessions).toHaveLength(2);
  });

  it('names catch_all as degraded after a failed attempt, for as long as the failure is stored', async () => {
    const { host, check } = await aService(
      { recipients: () => [450, '4.2.0 Greylisted'] },
      { catchAll: { mode: 'live' } },
    );
    expect(await check()).toEqual({ isCatchAll: false, degraded: 'catch_all' });
    expect(await check()).toEqual({ isCatchAll: false, degraded: 'catch_all' });
    expect(host.sessions).toHaveLength(1);
  });

  it('connects to a private address only if that is allowed', async () => {
    const { host, check, probes } = await aService(
      {},
      { catchAll: { mode: 'live', allow_private_addresses: false } },
    );
    expect(await check()).toEqual({ isCatchAll: false, degraded: undefined });
    expect(await probes('private_address')).toBe(1);
    expect(host.sessions).toEqual([]);
  });

  it('asks no mail host for a test key', async () => {
    const { host, service, probes } = await aService({}, { catchAll: { mode: 'live' } });
    const testKey = await service.createKey('test');
    const { json } = await service.check('jane@firm.example', {
      headers: { authorization: `Bearer ${testKey}` },
    });
    expect(json.signals.domain).toMatchObject({ has_mx: true, is_catch_all: false });
    expect(service.dns.queries).toEqual([]);
    expect(host.sessions).toEqual([]);
    expect(await probes('all_accepted')).toBe(0);
  });

  it('aborts open sessions when it stops', async () => {
    const { host, stop, check, probes } = await aService({ greeting: () => new Promise(() => undefined) });
    await check();
    await expect.poll(() => host.sessions.length).toBe(1);
    expect(await probes('aborted')).toBe(0);
    await stop();
    expect(host.open).toBe(0);
  });
});

it('a service without a helo_name makes no SMTP connection', async () => {
  const { host, check } = await aService({}, { catchAll: { mode: 'live', helo_name: null } });
  expect(await check()).toEqual({ isCatchAll: false, degraded: undefined });
  expect(host.sessions).toEqual([]);
});
