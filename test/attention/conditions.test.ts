import { describe, expect, it } from 'vitest';
import { CONDITION_IDS, findingsIn, type Watched } from '../../src/attention/conditions.ts';
import { DAY_MS } from '../../src/lib/time.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const WELL: Watched = {
  now: NOW,
  storage: undefined,
  rules: undefined,
  retention: undefined,
  downloads: [],
  builtInListDays: 89,
  dnsServers: [{ server: '192.0.2.1', isOut: false, since: null }],
  certificate: { endMs: NOW + 15 * DAY_MS, isOwn: true },
  keysInClear: [],
  quota: 1_000,
  muchUsed: [],
  providers: [{ id: 'mx', lately: { checks: 1000, failed: 60 }, before: { checks: 100_000, failed: 2_500 } }],
};
const ill = (part: Partial<Watched>) =>
  findingsIn({ ...WELL, ...part }).map(({ id, found }) => [id, found.map(({ text }) => text)]);
const trend = (failed: number, before: number) => ({
  providers: [{ id: 'mx', lately: { checks: 1000, failed }, before: { checks: 1000, failed: before } }],
});

const used = (checks: number) => ({ muchUsed: [{ id: 'acc_1', name: 'Shop', checks }] });

describe('the attention list', () => {
  it('is empty where all values are within their limits', () => {
    expect(ill({})).toEqual([]);
  });

  it.each<[Partial<Watched>, string, RegExp]>([
    [{ storage: 'database or disk is full' }, 'checks_refused', /recorded: database or disk is full\.$/],
    [{ rules: 'what lies in rules.dir is not in force' }, 'rules_not_in_force', /rules\.dir/],
    [
      {
        dnsServers: [
          { server: '192.0.2.1', isOut: true, since: '2026-11-26T11:00:00.000Z' },
          { server: '192.0.2.2', isOut: false, since: null },
        ],
      },
      'dns_out',
      /^192\.0\.2\.1 is out since 2026-11-26 11:00 UTC\.$/,
    ],
    [{ dnsServers: [{ server: '192.0.2.1', isOut: true, since: null }] }, 'dns_out', /no other is left/],
    [{ keysInClear: [{ name: 'shop', accountId: 'acc_1' }] }, 'seen_in_clear', /“shop”/],
    [used(1_000), 'quota_used_up', /“Shop” has used 1,000 of 1,000 checks of the month/],
    [used(999), 'quota_nearly_used', /“Shop” has used 999 of 1,000 checks of the month/],
    [{ certificate: { endMs: NOW + 14 * DAY_MS, isOwn: false } }, 'certificate_ends', /ends in 14 days/],
    [
      { certificate: { endMs: NOW + DAY_MS, isOwn: true } },
      'certificate_ends',
      /Postern made ends in 1 day\./,
    ],
    [{ certificate: { endMs: NOW - 1, isOwn: true } }, 'certificate_ends', /has ended/],
    [{ downloads: ['abused.txt is 80 hours old'] }, 'list_old', /80 hours/],
    [{ builtInListDays: 90 }, 'list_old', /90 days old/],
    [trend(30, 10), 'provider_unknowns_risen', /3\.0 % of the checks of the last hour, and in 1\.0 %/],
    [{ retention: 'records are kept' }, 'retention_waits', /are kept/],
  ])('contains for %j the condition %s', (part, id, text) => {
    expect(ill(part)).toEqual([[id, [expect.stringMatching(text)]]]);
  });

  it.each([
    ['few', trend(19, 0)],
    [
      'a small share',
      {
        providers: [
          {
            ...trend(0, 0).providers[0],
            id: 'mx',
            lately: { checks: 3_000, failed: 29 },
            before: { checks: 1, failed: 0 },
          },
        ],
      },
    ],
    ['what is usual', trend(29, 10)],
  ])('does not contain %s failures of a provider', (_what, part) => {
    expect(ill(part)).toEqual([]);
  });

  it('contains no age of the built-in list where lists are downloaded, which have a limit of their own', () => {
    expect(ill({ builtInListDays: null })).toEqual([]);
  });

  it('of a key seen in clear says what people without the right to rotate it can do', () => {
    const [found] = findingsIn({ ...WELL, keysInClear: [{ name: 'shop', accountId: 'acc_1' }] });
    expect(found?.remedy).toContain('ask a developer of the account');
  });

  it('starts with the most urgent condition', () => {
    const all = findingsIn({
      ...WELL,
      storage: 'full',
      rules: 'refused',
      retention: 'waits',
      builtInListDays: 400,
      dnsServers: [{ server: 'a', isOut: true, since: null }],
      certificate: { endMs: 0, isOwn: true },
      keysInClear: [{ name: 'shop', accountId: 'acc_1' }],
      muchUsed: [...used(800).muchUsed, ...used(1_200).muchUsed],
      ...trend(500, 1),
    });
    expect(all.map(({ id }) => id)).toEqual(CONDITION_IDS);
    const severities = all.map(({ severity }) => severity);
    expect(severities).toEqual(severities.toSorted());
  });
});
