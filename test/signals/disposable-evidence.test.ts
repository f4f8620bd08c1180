import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld } from '../cli/world.ts';
import { group, is, points, when } from '../rules/rules-directory.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';

const to = (exchange: string) => ({ MX: [{ exchange, preference: 10 }] });
let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer({
    'rotating.example': to('mail.wabblywabble.com'),
    'mail.wabblywabble.com': { A: ['203.0.113.20'] },
    'firm.example': to('route1.mx.cloudflare.net'),
    'route1.mx.cloudflare.net': { A: ['203.0.113.21'] },
    'mozmail.com': to('mail.wabblywabble.com'),
  });
});
afterAll(() => dns.close());

async function check(email: string, servers = [dns.address], rules: Record<string, string> = {}) {
  const { json } = await aWorld(rules).postern(['check', email, '--json'], {
    env: {
      POSTERN__DNS__SERVERS: JSON.stringify(servers),
      // It answers at once, except on a busy machine.
      ...{ POSTERN__DNS__TIMEOUT_MS: '4000', POSTERN__CHECK__DEADLINE_MS: '5000' },
    },
  });
  return json();
}

describe('a domain on no list', () => {
  it('is known by a mail host that disposable services share, which the ledger shows', async () => {
    const { signals, ledger, degraded, summary } = await check('jane@rotating.example');
    expect(signals).toMatchObject({
      'domain.is_known_disposable': true,
      'disposable.basis': 'mail_host',
      'disposable_mx.shares_backend': true,
    });
    expect(summary.action).toBe('BLOCK');
    expect(ledger).toContainEqual(
      expect.objectContaining({ id: 'disposable_evidence', saw: { 'disposable.basis': 'mail_host' } }),
    );
    expect(degraded).toEqual([]);
  });

  it('is not known by a shared mail host', async () => {
    const { signals } = await check('jane@firm.example');
    expect(signals).toMatchObject({ 'domain.is_known_disposable': false, 'disposable.points': 0 });
  });

  it('is unknown while DNS does not answer, and only the provider mx is degraded', async () => {
    const { signals, degraded, unknown } = await check('jane@rotating.example', ['127.0.0.1:9']);
    expect(signals).toMatchObject({ 'domain.is_known_disposable': null, 'disposable.basis': null });
    expect(unknown).toMatchObject({
      'disposable_mx.shares_backend': 'not_run',
      'domain.is_known_disposable': 'not_run',
    });
    expect(degraded).toEqual(['mx']);
  });

  it('has no higher score without DNS, by a rule that adds points for it', async () => {
    const rules = {
      'rules/honest.yaml': group('honest', {
        r: `${points(30)}, ${when(is('domain.is_known_disposable', false))}`,
      }),
    };
    const withAnswer = await check('jane@firm.example', [dns.address], rules);
    const without = await check('jane@firm.example', ['127.0.0.1:9'], rules);
    expect(withAnswer.summary.risk_score).toBe(30);
    expect(without.summary.risk_score).toBe(0);
  });
});

it('a domain on a list stays known while DNS does not answer', async () => {
  const { signals } = await check('jane@mailinator.com', ['127.0.0.1:9']);
  expect(signals).toMatchObject({ 'domain.is_known_disposable': true, 'disposable.basis': 'lists' });
});

it('a relay is never a known disposable domain, whatever its mail host is', async () => {
  const { signals } = await check('jane@mozmail.com');
  expect(signals).toMatchObject({ 'domain.is_known_disposable': false, 'relay.is_relay': true });
});
