import { describe, expect, it } from 'vitest';
import type { SmtpAnswer } from '../../src/provider-kit/index.ts';
import { aMailWorld, NO, YES } from '../../test/support/catch-all-world.ts';

const BEING_ASKED = { unknown: 'not_run', detail: 'being asked' };

describe('mode cached', () => {
  it('never waits for a mail host: the first check answers unknown, a later one has the result', async () => {
    const { ask, reply, asked } = await aMailWorld({ ttlSeconds: 120 });
    expect(await ask('firm.example')).toEqual(BEING_ASKED);
    expect(asked).toEqual([
      {
        domain: 'firm.example',
        exchange: 'mx.firm.example',
        port: 25,
        heloName: 'probe.example.net',
        allowPrivateAddresses: false,
      },
    ]);
    await reply(YES);
    expect(await ask('firm.example')).toEqual({
      facts: { 'domain.is_catch_all': true },
      evidence: {
        from: 'mail_host',
        exchange: 'mx.firm.example',
        outcome: 'all_accepted',
        reply: '250',
        asked_at: '2026-11-21T12:00:00.000Z',
      },
      // As long as the MX records: after that they may name other hosts.
      ttlSeconds: 120,
    });
    expect(asked).toHaveLength(1);
  });

  it('asks once for all checks that wait, and only the most preferred host', async () => {
    const { ask, asked } = await aMailWorld({
      mx: { 'firm.example': ['mx1.firm.example', 'backup.example'] },
    });
    await Promise.all([ask('firm.example'), ask('firm.example'), ask('firm.example')]);
    expect(asked.map(({ exchange }) => exchange)).toEqual(['mx1.firm.example']);
  });

  it.each<[what: string, answer: SmtpAnswer, expected: object]>([
    ['all were taken: yes', YES, { facts: { 'domain.is_catch_all': true } }],
    ['one was unknown there: no', NO, { facts: { 'domain.is_catch_all': false } }],
    [
      'greylisted',
      { outcome: 'deferred', code: 450, enhancedCode: '4.2.0' },
      { unknown: 'refused', detail: 'mx.firm.example deferred 450 4.2.0' },
    ],
    [
      'refused',
      { outcome: 'rejected', code: 554 },
      { unknown: 'refused', detail: 'mx.firm.example rejected 554' },
    ],
    [
      'too slow',
      { outcome: 'timeout', step: 'greeting' },
      { unknown: 'timeout', detail: 'mx.firm.example timeout' },
    ],
    ['closed', { outcome: 'unreachable' }, { unknown: 'error' }],
    ['hung up', { outcome: 'dropped' }, { unknown: 'error' }],
    ['no SMTP', { outcome: 'malformed' }, { unknown: 'malformed' }],
    ['no TLS after all', { outcome: 'tls_failed' }, { unknown: 'error' }],
    ['no address', { outcome: 'no_address' }, { unknown: 'error' }],
    // No connection was tried, so nothing has failed.
    ['at a private address', { outcome: 'private_address' }, { unknown: 'not_run' }],
  ])('answers by the outcome at the host: %s', async (_what, answer, expected) => {
    const { ask, reply } = await aMailWorld();
    await ask('firm.example');
    await reply(answer);
    expect(await ask('firm.example')).toMatchObject(expected);
  });

  it('does not store an outcome that only says that the service stopped', async () => {
    const { ask, reply, asked } = await aMailWorld();
    await ask('firm.example');
    await reply({ outcome: 'aborted' });
    expect(await ask('firm.example')).toEqual(BEING_ASKED);
    expect(asked).toHaveLength(2);
  });
});

describe('mode live', () => {
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('waits for the answer of the host', async () => {
    const { ask, reply } = await aMailWorld({ mode: 'live' });
    const answer = ask('firm.example');
    await settle();
    await reply(NO);
    expect(await answer).toMatchObject({ facts: { 'domain.is_catch_all': false } });
  });

  it('answers timeout when the check no longer waits, and gives the late result to the next check', async () => {
    const { ask, reply, asked } = await aMailWorld({ mode: 'live' });
    const deadline = new AbortController();
    const answer = ask('firm.example', 'name', deadline.signal);
    await settle();
    deadline.abort();
    expect(await answer).toMatchObject({ unknown: 'timeout' });
    await reply(YES);
    expect(await ask('firm.example')).toMatchObject({ facts: { 'domain.is_catch_all': true } });
    expect(asked).toHaveLength(1);
  });

  it('shares a probe that is under way, after a reload too', async () => {
    const { ask, reply, reload, asked } = await aMailWorld({ mode: 'live' });
    const answers = [ask('firm.example')];
    await settle();
    await reload();
    answers.push(ask('firm.example'));
    await settle();
    await reply(YES);
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ facts: { 'domain.is_catch_all': true } });
    }
    expect(asked).toHaveLength(1);
  });

  it('answers not_run when too many domains wait', async () => {
    const { ask, asked } = await aMailWorld({ mode: 'live', daily_probes: 5_000 });
    for (let n = 0; n < 1_000; n++) void ask(`d${n}.example`);
    await settle();
    expect(asked).toHaveLength(1_000);
    expect(await ask('one-more.example')).toEqual({ unknown: 'not_run', detail: 'too many domains wait' });
  });

  it('answers not_run when the SMTP port throws', async () => {
    const { ask, fail, warnings } = await aMailWorld({ mode: 'live' });
    const answer = ask('firm.example');
    await settle();
    await fail(new Error('a bug'));
    expect(await answer).toMatchObject({ unknown: 'not_run' });
    expect(warnings).toEqual(['a mail host could not be asked']);
  });
});

describe('outgoing connections to port 25 that are blocked', () => {
  const UNREACHABLE: readonly SmtpAnswer[] = [
    { outcome: 'unreachable', step: 'connect' },
    { outcome: 'timeout', step: 'connect' },
  ];

  it('are warned of once, after a row of hosts of which none can be reached', async () => {
    const { ask, reply, warnings } = await aMailWorld();
    for (let n = 0; n < 45; n++) {
      await ask(`d${n}.example`);
      await reply(UNREACHABLE[n % 2] ?? YES);
      expect(warnings).toHaveLength(n < 19 ? 0 : 1);
    }
    expect(warnings).toEqual([expect.stringContaining('no mail host can be reached')]);
  });

  it('are not suspected while any host is reached', async () => {
    const { ask, reply, warnings } = await aMailWorld();
    for (let n = 0; n < 60; n++) {
      await ask(`d${n}.example`);
      await reply(
        n % 15 === 0 ? { outcome: 'timeout', step: 'greeting' } : { outcome: 'unreachable', step: 'connect' },
      );
    }
    expect(warnings).toEqual([]);
  });
});
