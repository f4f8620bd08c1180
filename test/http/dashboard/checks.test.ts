import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { exportChecks, MOST_EXPORTS } from '../../../src/http/dashboard/areas/export-checks.ts';
import type { InsightsQueries } from '../../../src/insights/insights-queries.ts';
import { type Asking, busy } from '../../../src/jobs/job-queue.ts';
import type { FactValue } from '../../../src/provider-kit/index.ts';
import { ordinaryFacts } from '../../../src/rules/described-facts.ts';
import { bucketsInside } from '../../../src/rules/rollout.ts';
import { catalogue } from '../../rules/catalogue.ts';
import { compile, group, is, points, when } from '../../rules/rules-directory.ts';
import { aRecordsApi, privacy, RULES } from './records-api.ts';

const FACTS = { ...ordinaryFacts(catalogue), 'domain.is_known_disposable': true, 'domain.has_mx': null };
const LEDGER = [
  { kind: 'rule', points: 50, id: 'disposable', group: 'group', saw: { 'domain.is_known_disposable': true } },
  { kind: 'stood_aside', points: 0, id: 'mail', unknown: ['domain.has_mx'] },
  { kind: 'level', points: 0, id: null, level: 'medium', saw: { risk_score: 50 } },
  { kind: 'action', points: 0, id: null, action: 'ALLOW', saw: { risk_score: 50 } },
];
const CHECK = {
  id: 'chk_1',
  risk_score: 50,
  risk_level: 'medium',
  facts: FACTS,
  unknown: '{"domain.has_mx":"timeout"}',
  evidence: '{"lists":{"entry":"example.org","reason":"abuse","owner":"risk"}}',
  ledger: JSON.stringify(LEDGER),
  timings: { mx: 300_000, disposable: 40 },
  sources: { disposable: 'lists@1' },
  address_hmac: privacy.hmac('janedoe@gmail.com'),
};

describe('a search of checks', () => {
  it('finds by each filter of the query, page by page', async () => {
    const api = await aRecordsApi();
    await api.add(
      CHECK,
      {
        id: 'chk_2',
        created_at: '2026-11-20T10:00:01.000Z',
        action: 'BLOCK',
        risk_level: 'high',
        risk_score: 90,
      },
      { id: 'chk_3', account_id: 'acc_2', environment: 'test', domain: 'mail.xn--mnchen-3ya.example' },
    );
    const find = async (query: string, as = 'viewer') => {
      const { json } = await api.ask(`${as === 'viewer' ? '/accounts/acc_1' : ''}/checks?${query}`, { as });
      return json.checks?.map(({ id }: { id: string }) => id) ?? json.error;
    };
    expect(await find('')).toEqual(['chk_2', 'chk_1']);
    expect(await find('', 'analyst')).toEqual(['chk_2', 'chk_3', 'chk_1']);
    expect(await find('rule=disposable&min_score=50&max_score=50&label=none')).toEqual(['chk_1']);
    expect(await find('action=BLOCK&level=high&key_id=key_1')).toEqual(['chk_2']);
    expect(await find('domain=.xn--mnchen-3ya.example&environment=test', 'analyst')).toEqual(['chk_3']);
    for (const domain of ['mail.MÜNCHEN.example', 'mail.xn--mnchen-3ya.example.', '.münchen.example'])
      expect(await find(`domain=${encodeURIComponent(domain)}`, 'analyst'), domain).toEqual(['chk_3']);
    expect(await find('since=2026-11-20T10:00:01Z')).toEqual(['chk_2']);
    expect(await find('id=chk_3')).toEqual([]);
    expect(await find('ruleset=ffffffffffffffff')).toEqual([]);
    expect((await find('until=soon')).details[0].path).toBe('query/until');
    for (const score of ['101', '1e400', '-1e400', '1.5', 'high'])
      expect((await find(`min_score=${score}`)).details?.[0].path, score).toBe('query/min_score');

    const { person } = (
      await api.ask('/checks/person', { method: 'POST', body: { email: 'Jane.Doe+x@gmail.com' } })
    ).json;
    expect(await find(`person=${person}`)).toEqual(['chk_1']);

    const first = (await api.ask('/accounts/acc_1/checks?limit=1')).json;
    expect(first.checks[0]).toEqual({
      ...{ id: 'chk_2', created_at: '2026-11-20T10:00:01.000Z', account_id: 'acc_1', key_id: 'key_1' },
      ...{ environment: 'live', action: 'BLOCK', risk_score: 90, risk_level: 'high' },
      ...{ ruleset: '0123456789abcdef', domain: 'example.org', address: null, duration_us: 900 },
      ...{ label: null, rules: [], unknown: ['domain.has_mx'], person: null },
    });
    const second = (await api.ask(`/accounts/acc_1/checks?limit=1&after=${first.next}`)).json;
    expect([second.checks[0].id, second.next]).toEqual(['chk_1', null]);
    expect(second.checks[0].person).toBe(person);
    const before = `${second.checks[0].created_at}.${second.checks[0].id}`;
    expect(await find(`before=${before}`)).toEqual(['chk_2']);
    expect(await find(`before=${before}&action=ALLOW`)).toEqual([]);
  });

  it('finds, for analysts, the checks that a draft would decide differently, in pages and as a file', async () => {
    const api = await aRecordsApi();
    await api.add(
      { id: 'chk_1', action: 'BLOCK' },
      { id: 'chk_2', created_at: '2026-11-20T10:00:01.000Z' },
      { id: 'chk_3', created_at: '2026-11-20T10:00:02.000Z', account_id: 'acc_2' },
    );
    const ask = (query: string, path = '/checks') => api.ask(`${path}?flips=${query}`, { as: 'analyst' });
    const idsOf = async (query: string, path?: string) =>
      (await ask(query, path)).json.checks.map(({ id }: { id: string }) => id);
    expect(await idsOf('drf_1')).toEqual(['chk_3', 'chk_1']);
    expect(await idsOf('drf_1&action=BLOCK')).toEqual(['chk_1']);
    expect(await idsOf('drf_1', '/accounts/acc_2/checks')).toEqual(['chk_3']);
    const first = (await ask('drf_1&limit=1')).json;
    expect([first.checks[0].id, await idsOf(`drf_1&limit=1&after=${first.next}`)]).toEqual([
      'chk_3',
      ['chk_1'],
    ]);
    expect(await idsOf('drf_1&before=2026-11-20T10:00:00.000Z.chk_1')).toEqual(['chk_3']);
    const rows: { id: string }[] = parse((await ask('drf_1', '/checks.csv')).text, { columns: true });
    expect(rows.map(({ id }) => id)).toEqual(['chk_3', 'chk_1']);
    expect((await ask('drf_none')).status).toBe(404);
    api.flipDays.length = 0;
    await ask('drf_1&since=2026-11-13T10:00:00Z');
    await ask('drf_1&since=2020-01-01', '/checks.csv');
    await ask('drf_1&since=2030-01-01');
    await ask('drf_1');
    expect(api.flipDays).toEqual([8, 365, 1, 30]);
    const member = await api.ask('/accounts/acc_1/checks?flips=drf_1', { as: 'developer' });
    expect([member.status, member.json.error.code]).toEqual([403, 'forbidden']);
  });

  it('describes the fault of an address and of a page cursor', async () => {
    const api = await aRecordsApi();
    const named = await api.ask('/checks/person', { method: 'POST', body: { email: 'nobody' } });
    expect([named.status, named.json.error.code]).toEqual([422, 'unparseable_email']);
    const page = await api.ask('/accounts/acc_1/checks?after=elsewhere');
    expect([page.status, page.json.error.details[0].path]).toEqual([400, 'query/after']);
  });
});

describe('a CSV file of checks', () => {
  it('has a row for each check, with cells that no spreadsheet runs', async () => {
    const api = await aRecordsApi();
    await api.add(CHECK, {
      id: 'chk_2',
      address: '=1+1@example.org',
      created_at: '2026-11-20T10:00:01.000Z',
    });
    const file = await api.ask('/accounts/acc_1/checks.csv?max_score=50');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="checks.csv"');
    const rows: Record<string, string>[] = parse(file.text, { columns: true });
    expect(rows.map(({ id, address, rules, unknown }) => [id, address, rules, unknown])).toEqual([
      ['chk_2', "'=1+1@example.org", '', 'domain.has_mx'],
      ['chk_1', '', 'disposable:50', 'domain.has_mx'],
    ]);
    await api.add({ id: 'chk_3', domain: 'xn--mnchen-3ya.example' });
    const found = await api.ask(
      `/accounts/acc_1/checks.csv?domain=${encodeURIComponent('münchen.example.')}`,
    );
    expect(found.text).toContain('chk_3');
    expect((await api.ask('/checks.csv?since=soon', { as: 'analyst' })).status).toBe(400);
  });

  it('ends at its maximum of rows, and reads no more than it needs', async () => {
    const asked: unknown[] = [];
    const file = await exportChecks(async (after, limit) => {
      asked.push([after, limit]);
      return { checks: [], next: asked.length < 3 ? `place ${asked.length}` : null, searched_back_to: null };
    }, 1_500);
    const parts: string[] = [];
    for await (const part of file) parts.push(part);
    expect(parts).toHaveLength(1);
    expect(asked).toEqual([
      [undefined, 1_000],
      ['place 1', 1_000],
      ['place 2', 1_000],
    ]);
  });

  it('is refused in the envelope, not as a file, where the first search is refused', async () => {
    const api = await aRecordsApi({
      ask: () => Promise.reject(busy('too many')),
      close: () => undefined,
    });
    const refused = await api.ask('/accounts/acc_1/checks.csv');
    expect([refused.status, refused.json.error.code]).toEqual([503, 'busy']);
    expect(refused.headers.get('content-disposition')).toBeNull();
    // None of these requests has kept a place.
    for (let asked = 0; asked <= MOST_EXPORTS; asked += 1) {
      const { status, json } = await api.ask('/checks.csv', { as: 'analyst' });
      expect([status, json.error.details[0].message]).toEqual([503, 'too many']);
    }
  });

  it.each([
    ['identity', /^terminated$/],
    // Before or after the headers, as the beginning of the compressed body is written or not.
    ['gzip', /^(terminated|fetch failed)$/],
  ])(
    'closes its connection early where a later search is refused, so that it never looks complete: %s',
    async (accepted, failure) => {
      let searches = 0;
      const page = { checks: [], next: 'place', searched_back_to: null };
      const ask = async () => {
        searches += 1;
        if (searches > 1) throw busy('too many');
        return page;
      };
      const api = await aRecordsApi({
        ask: ask as unknown as InsightsQueries['ask'],
        close: () => undefined,
      });
      await expect(api.ask('/accounts/acc_1/checks.csv', { accepted })).rejects.toThrow(failure);
      expect(searches).toBe(2);
      await expect.poll(() => [...new Set(api.logged())]).toEqual(['error']);
    },
  );
});

describe('a CSV file of checks in progress', () => {
  const PAGE = { checks: [], next: 'place', searched_back_to: null };
  const CSV = '/accounts/acc_1/checks.csv';

  /** Each search waits until the test answers it. */
  function heldInsights() {
    const searches: { answer(page: object): void; readonly asking: Asking }[] = [];
    const ask = (_kind: string, _question: object, asking: Asking) =>
      new Promise((answer, reject) => {
        asking.signal?.addEventListener('abort', () => reject(asking.signal?.reason));
        searches.push({ answer, asking });
      });
    const insights = { ask: ask as unknown as InsightsQueries['ask'], close: () => undefined };
    const search = async (number: number) => {
      await expect.poll(() => searches.length).toBeGreaterThanOrEqual(number);
      return searches[number - 1] as (typeof searches)[number];
    };
    return { insights, search };
  }

  it('queues its first page like any question of the person, and later pages separately', async () => {
    const { insights, search } = heldInsights();
    const api = await aRecordsApi(insights);
    const file = api.ask(CSV);
    (await search(1)).answer(PAGE);
    (await search(2)).answer({ ...PAGE, next: null });
    expect((await file).status).toBe(200);
    const askers = [await search(1), await search(2)].map(({ asking }) => asking.asker);
    expect(askers).toEqual(['viewer', 'viewer goes on']);
  });

  it(`is one of ${MOST_EXPORTS} of the same person, until it has ended or its client has disconnected`, async () => {
    const { insights, search } = heldInsights();
    const api = await aRecordsApi(insights);
    const leaving = new AbortController();
    const left = api.ask(CSV, { signal: leaving.signal });
    (await search(1)).answer(PAGE);
    await search(2);
    const ended = api.ask(CSV);
    await search(3);
    const refused = await api.ask(CSV);
    expect([refused.status, refused.json.error.code, refused.headers.get('retry-after')]).toEqual([
      ...[503, 'busy', '2'],
    ]);
    expect(refused.json.error.details[0].message).toContain(`${MOST_EXPORTS} of your own files`);
    const other = api.ask(CSV, { as: 'developer' });
    (await search(4)).answer({ ...PAGE, next: null });
    expect((await other).status).toBe(200);

    (await search(3)).answer({ ...PAGE, next: null });
    expect((await ended).status).toBe(200);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(async () => (await search(2)).asking.signal?.aborted).toBe(true);
    await expect.poll(() => api.logged()).toEqual(['info']);
    const [fifth, sixth] = [api.ask(CSV), api.ask(CSV)];
    for (const number of [5, 6]) (await search(number)).answer({ ...PAGE, next: null });
    expect([(await fifth).status, (await sixth).status]).toEqual([200, 200]);
  });
});

describe('one check', () => {
  it('is returned with its ledger, each signal, its key and its rule set', async () => {
    const api = await aRecordsApi();
    await api.add(CHECK);
    const { json } = await api.ask('/accounts/acc_1/checks/chk_1');
    expect(json).toMatchObject({
      id: 'chk_1',
      key: { name: 'shop', prefix: 'pst_live_4f7q' },
      person: CHECK.address_hmac,
      ruleset: '0123456789abcdef',
      ruleset_version: null,
      ledger: LEDGER,
      challenger: null,
      labels: [],
    });
    expect(json.signals.slice(0, 2)).toEqual([
      {
        provider: 'mx',
        took_us: 300_000,
        source: null,
        facts: expect.objectContaining({ 'domain.has_mx': null, 'mx.outcome': expect.anything() }),
        unknown: { 'domain.has_mx': 'timeout' },
        evidence: null,
      },
      expect.objectContaining({ provider: 'disposable', took_us: 40, source: 'lists@1' }),
    ]);
    const lists = (from: typeof json) =>
      from.signals.find(({ provider }: { provider: string }) => provider === 'lists').evidence;
    expect(lists(json)).toEqual({ entry: 'example.org' });
    const { json: whole } = await api.ask('/checks/chk_1', { as: 'analyst' });
    expect(lists(whole)).toEqual({ entry: 'example.org', reason: 'abuse', owner: 'risk' });
    expect((await api.ask('/accounts/acc_1/checks/chk_2')).status).toBe(404);
  });

  it('is explained by the rules in force', async () => {
    const api = await aRecordsApi();
    const { 'mx.outcome': _, ...facts }: Record<string, FactValue | null> = FACTS;
    await api.add({ ...CHECK, facts: { ...facts, 'gone.fact': true } });
    const { json } = await api.ask('/accounts/acc_1/checks/chk_1/explanation');
    expect(json).toMatchObject({
      decision: { action: 'ALLOW', risk_score: 50, ruleset: RULES.hash },
      missing: ['mx.outcome'],
      turn: {
        action: 'BLOCK',
        points: 20,
        flips: [
          {
            changes: { 'domain.has_mx': false },
            from: { 'domain.has_mx': null },
            action: 'BLOCK',
            risk_score: 70,
            risk_level: 'high',
          },
        ],
      },
    });
    expect((await api.ask('/accounts/acc_1/checks/chk_2/explanation')).status).toBe(404);
  });

  it('is explained with the named conditions of the rules in force', async () => {
    const rules = compile({
      'group.yaml': `conditions: { rented: { description: Rented., conditions: { all: [${is('domain.has_mx', false)}] } } }\n${group('group', { let: `${points(50)}, ${when('{ condition: rented }')}` })}`,
    });
    const api = await aRecordsApi(undefined, rules);
    await api.add({ ...CHECK, facts: { ...FACTS, 'domain.has_mx': null } });
    const { json } = await api.ask('/accounts/acc_1/checks/chk_1/explanation');
    expect(json.conditions).toEqual([
      { name: 'rented', holds: null, means: 'domain.has_mx equal false', rules: ['let'] },
    ]);
  });

  it('has its side of a rollout, by its hash, or else by its ledger', async () => {
    const rules = compile({
      'group.yaml': group('group', {
        thrown: `${points(50)}, rollout: { percent: 40 }, ${when(is('domain.is_known_disposable', true))}`,
      }),
    });
    const inside = new Set(bucketsInside({ percent: 40, salt: 'thrown' }));
    const hashOf = (bucket: number) => `${bucket.toString(16).padStart(8, '0')}${'0'.repeat(56)}`;
    const buckets = Array.from({ length: 1_000 }, (_, bucket) => bucket);
    const hashInside = hashOf(buckets.find((bucket) => inside.has(String(bucket))) ?? -1);
    const hashOutside = hashOf(buckets.find((bucket) => !inside.has(String(bucket))) ?? -1);
    const ledgerOf = (isInside: boolean) => {
      const entry = { id: 'thrown', saw: { 'domain.is_known_disposable': true } };
      return JSON.stringify([
        isInside
          ? { kind: 'rule', points: 50, group: 'group', ...entry }
          : { kind: 'shadow', points: 0, would_add: 50, ...entry },
      ]);
    };
    const side = (isInside: boolean | null) => ({
      ...{ rule: 'thrown', percent: 40, inside: isInside },
      told:
        isInside === null
          ? 'inside or outside the 40 % of its rollout: the address is not known, nor its hash'
          : `${isInside ? 'inside' : 'outside'} the 40 % of its rollout`,
    });
    const api = await aRecordsApi(undefined, rules);
    const decided = { ...CHECK, ruleset: rules.hash };
    await api.add(
      { ...decided, id: 'chk_in', ledger: ledgerOf(true), address_hmac: hashInside },
      { ...decided, id: 'chk_out', ledger: ledgerOf(false), address_hmac: hashOutside },
      { ...decided, id: 'chk_in_bare', ledger: ledgerOf(true), address_hmac: null },
      { ...decided, id: 'chk_out_bare', ledger: ledgerOf(false), address_hmac: null },
      { ...decided, id: 'chk_other', ledger: ledgerOf(false), address_hmac: hashInside, ruleset: RULES.hash },
    );
    const told: Record<string, unknown> = {};
    for (const id of ['chk_in', 'chk_out', 'chk_in_bare', 'chk_out_bare', 'chk_other']) {
      const { json } = await api.ask(`/accounts/acc_1/checks/${id}`);
      const explained = await api.ask(`/accounts/acc_1/checks/${id}/explanation`);
      told[id] = [json.rollouts, explained.json.decision.rollouts];
    }
    expect(told).toEqual({
      chk_in: [[side(true)], [side(true)]],
      chk_out: [[side(false)], [side(false)]],
      chk_in_bare: [[side(true)], [side(null)]],
      chk_out_bare: [[side(false)], [side(null)]],
      // The earlier percentage of the rollout is not in the record; only today's rules can tell the side.
      chk_other: [[], [side(true)]],
    });
  });

  it('is explained with the entry that its domain matches in a named list', async () => {
    const rules = compile({
      'group.yaml': group('group', {
        rented: `${points(50)}, ${when('{ fact: address.domain, operator: in_list, value: rented }')}`,
      }),
      'lists/rented.txt': '.example.org\nother.example\n',
    });
    const api = await aRecordsApi(undefined, rules);
    await api.add({ ...CHECK, facts: { ...FACTS, 'address.domain': 'shop.example.org' } });
    const { json } = await api.ask('/accounts/acc_1/checks/chk_1/explanation');
    expect(json.lists).toEqual([
      { fact: 'address.domain', value: 'shop.example.org', list: 'rented', entry: '.example.org' },
    ]);
  });

  it('is labelled together with others, and the audit trail names them all', async () => {
    const api = await aRecordsApi();
    await api.add(CHECK, { id: 'chk_2' }, { id: 'chk_test', environment: 'test' });
    const label = async (word: string, checks: readonly string[], as = 'developer') =>
      api.ask('/accounts/acc_1/labels', { as, method: 'PUT', body: { label: word, checks } });
    const all = ['chk_1', 'chk_2', 'chk_2', 'chk_test'];
    expect((await label('bad', all, 'viewer')).status).toBe(403);
    expect((await label('worse', all)).status).toBe(400);
    expect((await label('bad', [])).status).toBe(400);
    expect((await label('bad', all)).json).toEqual({ changed: 2, left: 0, absent: 1 });
    expect((await api.ask('/accounts/acc_1/checks?label=bad')).json.checks).toHaveLength(2);
    expect((await label('none', ['chk_1', 'chk_none'])).json).toEqual({ changed: 1, left: 0, absent: 1 });
    expect((await api.ask('/accounts/acc_1/checks?label=bad')).json.checks).toHaveLength(1);
    expect((await label('none', ['chk_none'])).json).toEqual({ changed: 0, left: 0, absent: 1 });
    expect(api.trail.map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
      ['check.labelled', '2 checks', { label: 'bad', checks: ['chk_1', 'chk_2', 'chk_test'] }],
      ['check.label_removed', '1 check', { checks: ['chk_1', 'chk_none'] }],
    ]);
  });

  it('keeps the label that another person has given it since it was shown', async () => {
    const api = await aRecordsApi();
    await api.add(CHECK, { id: 'chk_2' });
    const path = '/accounts/acc_1/checks/chk_1/label';
    const set = async (label: string, was?: string) =>
      (await api.ask(path, { as: 'developer', method: 'PUT', body: { label, was } })).json?.error?.code;
    const several = async (label: string, was: object) =>
      (
        await api.ask('/accounts/acc_1/labels', {
          ...{ as: 'developer', method: 'PUT', body: { label, checks: ['chk_1', 'chk_2'], was } },
        })
      ).json;
    const labels = async () =>
      (await api.ask('/accounts/acc_1/checks')).json.checks.map(({ id, label }: never) => [id, label]);
    expect(await set('good', 'none')).toBeUndefined();
    expect(await set('bad', 'none')).toBe('label_changed');
    expect(await several('bad', { chk_1: 'none', chk_2: 'none' })).toEqual({
      changed: 1,
      left: 1,
      absent: 0,
    });
    expect(await labels()).toEqual([
      ['chk_2', 'bad'],
      ['chk_1', 'good'],
    ]);
    expect(await set('none', 'bad')).toBe('label_changed');
    expect(await several('none', { chk_1: 'bad', chk_2: 'bad' })).toEqual({ changed: 1, left: 1, absent: 0 });
    expect(await set('none', 'good')).toBeUndefined();
    expect(api.trail.map(({ action, subject }) => [action, subject])).toEqual([
      ['check.labelled', 'chk_1'],
      ['check.labelled', '1 check'],
      ['check.label_removed', '1 check'],
      ['check.label_removed', 'chk_1'],
    ]);
  });

  it('takes a thousand ids at once, with the label that each was shown with', async () => {
    const api = await aRecordsApi();
    const checks = Array.from({ length: 1_000 }, (_, number) => `chk_01${String(number).padStart(24, '0')}`);
    const was = Object.fromEntries(checks.map((id) => [id, 'none']));
    const { json } = await api.ask('/accounts/acc_1/labels', {
      ...{ as: 'developer', method: 'PUT', body: { label: 'bad', checks, was } },
    });
    expect(json).toEqual({ changed: 0, left: 0, absent: 1_000 });
  });

  it('is labelled by developers, who can remove the label; the audit trail has both', async () => {
    const api = await aRecordsApi();
    await api.add(CHECK, { id: 'chk_test', environment: 'test' });
    const label = (id: string, as = 'developer', label = 'bad') =>
      api.ask(`/accounts/acc_1/checks/${id}/label`, { as, method: 'PUT', body: { label } });
    expect((await label('chk_1', 'viewer')).status).toBe(403);
    expect((await label('chk_1')).status).toBe(204);
    const { json } = await api.ask('/accounts/acc_1/checks/chk_1');
    expect(json.labels).toEqual([
      {
        ...{ of: 'check', label: 'bad', source: 'dashboard', author: 'developer@example.com' },
        labelled_at: '2026-11-20T12:00:00.000Z',
      },
    ]);
    expect((await api.ask('/accounts/acc_1/checks?label=bad')).json.checks).toHaveLength(1);
    expect((await label('chk_1', 'developer', 'none')).status).toBe(204);
    expect((await label('chk_1', 'developer', 'none')).status).toBe(404);
    expect([(await label('chk_test')).status, (await label('chk_none')).status]).toEqual([404, 404]);
    expect(
      api.trail.map(({ action, subject, accountId, detail }) => [action, subject, accountId, detail]),
    ).toEqual([
      ['check.labelled', 'chk_1', 'acc_1', { label: 'bad' }],
      ['check.label_removed', 'chk_1', 'acc_1', {}],
    ]);
  });
});
