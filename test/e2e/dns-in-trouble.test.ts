import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Behaviour } from '../support/dns-server.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** Far beyond the deadline of 400 ms: only an answer that waits for the DNS server takes this long. */
const SERVER_TAKES_MS = 8_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ check: { deadline_ms: 400 } }, { dnsTimeoutMs: 300 });
  // The first check compiles code that later checks reuse; on a busy machine it may miss the deadline.
  await service.check('jane@firm.example');
});
afterAll(() => service.stop());

/** A name that was not asked for before, so that it is in no cache. */
let names = 0;
const freshName = () => `name${names++}.example.com`;

async function checkUnder(behaviour: Behaviour, localPart = 'jane') {
  const name = freshName();
  service.dns.setBehaviour(behaviour, name);
  const answer = await Promise.race([
    service.check(`${localPart}@${name}`),
    wait(SERVER_TAKES_MS, 'late' as const),
  ]);
  if (answer === 'late') throw new Error('the answer waited for the DNS server');
  return answer;
}

describe('a DNS server', () => {
  it('that is healthy degrades nothing', async () => {
    const { headers, json } = await service.check('jane@example.com');
    expect(headers).not.toHaveProperty('postern-degraded');
    expect(json.signals.domain.has_mx).toBe(true);
  });

  it('that says NXDOMAIN has answered: the domain takes no mail', async () => {
    const { headers, json } = await checkUnder('healthy');
    expect(headers).not.toHaveProperty('postern-degraded');
    expect(json.summary.action).toBe('BLOCK');
  });

  it.each<[string, Behaviour]>([
    ['is slow', { slowMs: SERVER_TAKES_MS }],
    ['is silent', 'silent'],
    ['refuses', 'refusing'],
    ['fails', 'servfail'],
    ['sends garbage', 'malformed'],
    ['answers another question', 'wrong_name'],
    ['answers with another id', 'wrong_id'],
    ['answers from another port', 'wrong_port'],
    ['cuts its answer off', 'half'],
    ['hangs up', { overTcp: 'hang_up' }],
    ['does not resolve', 'referral'],
  ])(
    'that %s leaves has_mx unknown: named, in time, and no score is higher for it',
    async (_how, behaviour) => {
      for (const localPart of ['jane', 'admin', 'xk7qz9vw2p4t']) {
        const troubled = await checkUnder(behaviour, localPart);
        expect(troubled.status).toBe(200);
        expect(troubled.headers['postern-degraded']).toBe('mx');
        expect(troubled.json.signals.domain.has_mx).toBe(false);
        const withMail = await service.check(`${localPart}@example.com`);
        const withoutMail = await checkUnder('healthy', localPart);
        for (const known of [withMail, withoutMail]) {
          expect(troubled.json.summary.risk_score).toBeLessThanOrEqual(known.json.summary.risk_score);
        }
        expect(troubled.json.summary.action).toBe('ALLOW');
      }
    },
  );
});

describe('a DNS server that replies to nothing', () => {
  const token = 'a-token-for-the-metrics';
  let watched: TestService;
  beforeAll(async () => {
    watched = await startTestService({ metrics: { token } }, { dnsTimeoutMs: 100 });
  });
  afterAll(() => watched.stop());

  async function timesOut(): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    const { text } = await watched.send({ method: 'GET', path: '/metrics', headers });
    return Number(/postern_dns_server_changes_total{state="out"} (\d+)/.exec(text)?.[1]);
  }

  it('is left alone and counted, and domains that were known stay known', async () => {
    // On a busy machine even a healthy server may take longer than the time-out.
    await expect
      .poll(async () => (await watched.check('jane@example.com')).json.signals.domain.has_mx)
      .toBe(true);
    watched.dns.setBehaviour('silent');
    // The server is suspected first; it counts as out once a probe gets no reply.
    for (let checks = 0; checks < 50 && (await timesOut()) === 0; checks++) {
      await watched.check(`jane@${freshName()}`);
    }
    expect(await timesOut()).toBe(1);
    const asked = watched.dns.queries.length;
    const { headers } = await watched.check(`jane@${freshName()}`);
    expect(headers['postern-degraded']).toBe('mx');
    expect(watched.dns.queries).toHaveLength(asked);
    const known = await watched.check('john@example.com');
    expect(known.headers).not.toHaveProperty('postern-degraded');
    expect(known.json.signals.domain.has_mx).toBe(true);
  });
});
