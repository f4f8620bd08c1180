import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import lists from '../../../providers/lists/index.ts';
import { handOver } from '../../../src/lists/downloaded-lists.ts';
import { idOf } from '../../../src/lists/list-store.ts';
import { writeSnapshot } from '../../../src/lists/snapshot.ts';
import { defineProvider, unknown } from '../../../src/provider-kit/index.ts';
import type { ChangedDownload } from '../../../src/rule-lab/editing/list-effect.ts';
import type { NewCheck } from '../../../src/storage/ports.ts';
import { DECISION, group, is, points, when } from '../../rules/rules-directory.ts';
import { checkOf } from '../../storage/rows.ts';
import { aFact, aNetworkProvider } from '../../support/providers.ts';
import { someRuleJobs } from './some-rule-jobs.ts';

const FORCED = `forced:
  - { id: allow_list, description: Allowed., conditions: { all: [{ fact: lists.allowed, operator: equal, value: true }] }, event: { type: force, params: { action: ALLOW } } }
  - { id: deny_list, description: Denied., conditions: { all: [{ fact: lists.denied, operator: equal, value: true }] }, event: { type: force, params: { action: BLOCK } } }
`;
const RULES = {
  'decision.yaml': `${FORCED}${DECISION}`,
  'a.yaml': group('a', {
    thrown_away: `${points(80)}, ${when(is('named.listed', true))}`,
    seen: `${points(75)}, ${when(is('x.seen', true))}`,
  }),
};
const entry = (value: string) => `- { value: "${value}", reason: r, owner: o }\n`;
const withLists = (allow: readonly string[], deny: readonly string[] = []) => ({
  ...RULES,
  ...(allow.length > 0 && { 'allow.yaml': allow.map(entry).join('') }),
  ...(deny.length > 0 && { 'deny.yaml': deny.map(entry).join('') }),
});

const hashOf = (address: string) => hash('sha256', address);
const addressesOf = (...addresses: string[]) => new Map(addresses.map((text) => [hashOf(text), text]));

/** A check of an address, against which only `x.seen` counts. */
function checkOfAddress(id: string, address: string, isSeen = false, more: Partial<NewCheck> = {}): NewCheck {
  return checkOf(id, {
    domain: address.slice(address.indexOf('@') + 1),
    address_hmac: hashOf(address),
    facts: {
      ...{ 'x.seen': isSeen, 'lists.allowed': false, 'lists.denied': false },
      ...{ 'named.listed': false, 'mail.is_shared': false },
    },
    unknown: '{}',
    created_at: '2026-11-19T10:00:00.000Z',
    ...more,
  });
}

/** Uses downloaded lists, and needs a fact from a look-up. */
const named = defineProvider<ReadonlySet<string>>({
  ...{ id: 'named', apiVersion: 1, description: 'A list of a test.', stage: 'local' },
  needs: ['mail.is_shared'],
  facts: [aFact('named.listed')],
  prepare: async ({ downloads }) => {
    const names = (await downloads()).flatMap((list) => [...list.records()].map(([name]) => name));
    return { state: new Set(names) };
  },
  check: ({ canonical }, { state, needs }) =>
    needs['mail.is_shared'] === null
      ? unknown('not_run')
      : { facts: { 'named.listed': state.has(canonical.domain) } },
});
const mail = aNetworkProvider('mail', { facts: [aFact('mail.is_shared')] });
const start = (rows: readonly NewCheck[]) => someRuleJobs(rows, [lists, named, mail]);

const ORDER = { base: withLists([]), addresses: new Map<string, string>(), download: null, days: 30 };

describe('the effect of an entry', () => {
  it('shows the checks that match, and the changed decisions with the newest of them', async () => {
    const { jobs } = await start([
      checkOfAddress('chk_1', 'ann@firm.example', true),
      checkOfAddress('chk_2', 'bob@firm.example', true, { created_at: '2026-11-19T11:00:00.000Z' }),
      checkOfAddress('chk_3', 'cem@firm.example'),
      checkOfAddress('chk_4', 'dan@sub.firm.example', true),
      checkOfAddress('chk_old', 'ann@firm.example', true, { created_at: '2026-10-01T10:00:00.000Z' }),
      checkOfAddress('chk_test', 'ann@firm.example', true, { environment: 'test' }),
    ]);
    const effect = await jobs.listEffect({ ...ORDER, candidate: withLists(['firm.example']) });
    expect(effect).toEqual({
      ...{ days: 30, since: '2026-10-21T12:00:00.000Z', checks: 4, of: 4 },
      ...{ touched: 3, without_domain: 0, unseen: [] },
      flips: {
        to_block: { counts: { good: 0, bad: 0, unlabelled: 0 }, examples: [] },
        to_allow: {
          counts: { good: 0, bad: 0, unlabelled: 2 },
          examples: [
            expect.objectContaining({
              id: 'chk_2',
              domain: 'firm.example',
              score: { base: 75, candidate: 75 },
            }),
            expect.objectContaining({ id: 'chk_1' }),
          ],
        },
      },
    });
    const below = await jobs.listEffect({ ...ORDER, candidate: withLists(['.firm.example']) });
    expect(below.touched).toBe(4);
    const all = await jobs.listEffect({ ...ORDER, candidate: withLists([], ['.example']) });
    expect(all).toMatchObject({ touched: 4, flips: { to_block: { counts: { unlabelled: 1 } } } });
  });

  it('that is an address is found by the hash alone, and does not affect other addresses of its domain', async () => {
    const { jobs } = await start([
      checkOfAddress('chk_1', 'ann@firm.example'),
      checkOfAddress('chk_2', 'bob@firm.example'),
    ]);
    const addresses = addressesOf('ann@firm.example');
    const effect = await jobs.listEffect({
      ...{ ...ORDER, addresses, candidate: withLists([], ['Ann@firm.example']) },
    });
    expect(effect).toMatchObject({
      touched: 1,
      flips: { to_block: { counts: { unlabelled: 1 }, examples: [{ id: 'chk_1' }] } },
    });
  });

  it('is nothing where a closer entry decides, or the same entry exists', async () => {
    const { jobs } = await start([
      checkOfAddress('chk_1', 'ann@firm.example'),
      checkOfAddress('chk_2', 'bob@firm.example'),
    ]);
    const addresses = addressesOf('ann@firm.example');
    const base = withLists(['ann@firm.example']);
    const denied = await jobs.listEffect({
      ...{ ...ORDER, base, addresses, candidate: withLists(['ann@firm.example'], ['firm.example']) },
    });
    expect(denied.flips.to_block).toMatchObject({ counts: { unlabelled: 1 }, examples: [{ id: 'chk_2' }] });
    const again = { 'allow.yaml': entry('firm.example'), ...RULES };
    const twice = { ...again, 'allow.yaml': entry('firm.example') + entry('FIRM.example') };
    expect((await jobs.listEffect({ ...ORDER, base: again, candidate: twice })).touched).toBe(0);
  });

  it('that is removed is computed with the present lists, whatever was in force at the check', async () => {
    const { jobs } = await start([checkOfAddress('chk_1', 'ann@firm.example', true)]);
    const gone = await jobs.listEffect({
      ...{ ...ORDER, base: withLists(['firm.example']), candidate: withLists([]) },
    });
    expect(gone.flips.to_block.counts.unlabelled).toBe(1);
  });

  it('names domains that records contain under another name, and counts the records without a domain', async () => {
    const { jobs } = await start([
      checkOfAddress('chk_1', 'ann@gmail.com'),
      checkOfAddress('chk_2', 'x@y.example', false, { domain: null, address_hmac: null }),
    ]);
    const effect = await jobs.listEffect({ ...ORDER, candidate: withLists([], ['googlemail.com']) });
    expect(effect).toMatchObject({ touched: 0, without_domain: 1, unseen: ['googlemail.com'] });
  });

  it('ends soon after its caller cancels', async () => {
    const { jobs } = await start([checkOfAddress('chk_1', 'ann@firm.example')]);
    const candidate = withLists(['firm.example']);
    const asking = { signal: AbortSignal.abort(new Error('the dialog was closed')) };
    await expect(jobs.listEffect({ ...ORDER, candidate }, asking)).rejects.toThrow('the dialog was closed');
  });
});

describe('the effect of a downloaded list', () => {
  const url = 'https://lists.example/a';
  const snapshotOf = (domains: readonly string[]): ChangedDownload => {
    const day = Date.parse('2026-11-18') / 86_400_000;
    const text = writeSnapshot(new Map(domains.map((name) => [name, { firstSeen: day, lastSeen: null }])));
    const at = '2026-11-19T00:00:00.000Z';
    const kept = { sha256: hashOf(text), download_sha256: '', taken_at: at, confirmed_at: at };
    return { url, text, kept: { ...kept, entries: domains.length, gone: 0 } };
  };

  it('covers the domains that the other snapshot adds or removes', async () => {
    const { jobs, downloads } = await start([
      checkOfAddress('chk_1', 'ann@was-listed-once.example'),
      checkOfAddress('chk_2', 'ann@is-listed-now.example'),
      checkOfAddress('chk_3', 'ann@is-listed-always.example'),
    ]);
    const before = snapshotOf(['was-listed-once.example', 'is-listed-always.example']);
    downloads.mockResolvedValue([handOver(idOf(url), before)]);
    const after = snapshotOf(['is-listed-now.example', 'is-listed-always.example']);
    const order = { ...ORDER, candidate: ORDER.base, download: after };
    const effect = await jobs.listEffect(order);
    expect(effect).toMatchObject({
      touched: 2,
      flips: { to_block: { examples: [{ id: 'chk_2' }] }, to_allow: { examples: [{ id: 'chk_1' }] } },
    });
    downloads.mockResolvedValue([handOver(idOf(url), after)]);
    // The rules in force were read again.
    expect((await jobs.listEffect(order)).touched).toBe(0);
    downloads.mockResolvedValue([]);
    expect((await jobs.listEffect(order)).flips.to_block.counts.unlabelled).toBe(2);
  });
});
