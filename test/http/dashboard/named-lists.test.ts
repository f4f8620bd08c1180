import { describe, expect, it, vi } from 'vitest';
import type { Act } from '../../../src/accounts/audit-trail.ts';
import { NAMED_LISTS_AREA } from '../../../src/http/dashboard/areas/named-lists.route.ts';
import { RULES_AREA } from '../../../src/http/dashboard/areas/rules.route.ts';
import { someRuleEditing } from '../../rule-lab/editing/some-rule-editing.ts';
import { filesWith, seen } from '../../rule-lab/editing/some-rule-jobs.ts';
import { group, points, when } from '../../rules/rules-directory.ts';
import { aFact, aLocalProvider } from '../../support/providers.ts';
import { serveArea } from './serve-area.ts';

const PARTNERS = `# Kept by hand.
description: Domains of partners.
owner: partnerships
entries:
  - partner.example # since May
  - { value: .supplier.example, reason: Plants., owner: purchasing, expires: 2026-12-01 }
`;
const FILES = {
  ...filesWith(60),
  'b.yaml': group('b', {
    partner: `${points(80)}, ${when('{ fact: y.domain, operator: in_list, value: partners }')}`,
    rented: `${points(20, 'shadow')}, ${when('{ fact: y.domain, operator: not_in_list, value: rented }')}`,
  }),
  'lists/partners.yaml': PARTNERS,
  'lists/rented.txt': '.rented.example # by the day\nlet.example\n',
};
const DOMAINS = aLocalProvider('y', {
  facts: [aFact('y.domain', { type: 'domain', example: 'example.org', never_unknown: true })],
});
const checkAt = (id: string, domain: string) =>
  seen(id, { facts: { 'x.seen': false, 'y.domain': domain }, domain });
const ROWS = [checkAt('chk_1', 'new.example'), checkAt('chk_2', 'a.supplier.example')];

/** Rules with named lists, in a directory or a database, and a person who can sign in. */
async function start(isInDatabase: boolean, files: Readonly<Record<string, string>> = FILES) {
  const world = await someRuleEditing(ROWS, {}, { files, providers: [DOMAINS], isInDatabase });
  const record = vi.fn(async (_act: Act) => undefined);
  const trail = { record };
  const rules = await serveArea(RULES_AREA, {
    editing: world.workbench,
    trail,
    audit: { list: async () => [] },
  });
  const lists = await serveArea(NAMED_LISTS_AREA, { editing: world.workbench, trail });
  const show = async (name: string, query = '') =>
    (await lists('analyst', 'GET', `/lists/named/${name}/entries${query}`)).json;
  const change = async (name: string, made: object, what = 'changes', version?: string) =>
    lists('analyst', 'POST', `/lists/named/${name}/${what}`, {
      version: version ?? (await show(name)).list.version,
      change: made,
    });
  return { ...world, rules, record, lists, show, change };
}

describe.each([
  ['a directory', false],
  ['a database', true],
] as const)('named lists of rules in %s', (_, isInDatabase) => {
  it('are published with the rules, and are restored with the version that contains them', async () => {
    const { rules, inForce } = await start(isInDatabase);
    const first = inForce().hash;
    const text = PARTNERS.replace('  - partner', '  - new.example\n  - partner');
    const { json } = await rules('analyst', 'POST', '/rules/drafts', {
      files: { 'lists/partners.yaml': text },
    });
    const backtest = await rules('analyst', 'POST', `/rules/drafts/${json.id}/backtest`, { revision: 1 });
    expect(backtest.json).toMatchObject({
      state: 'done',
      replay: { flips: { to_block: { counts: { unlabelled: 1 } } } },
    });
    const { json: published } = await rules('analyst', 'POST', `/rules/drafts/${json.id}/publish`, {
      revision: 1,
    });
    expect(published).toMatchObject({ state: 'in_force', version: 2, ruleset: inForce().hash });
    expect(inForce().hash).not.toBe(first);
    expect(inForce().files['lists/partners.yaml']).toBe(text);

    const { json: compared } = await rules('analyst', 'GET', '/rules/comparison?before=1&after=2');
    expect(compared.changes).toEqual([
      expect.objectContaining({
        ...{ subject: 'list', id: 'partners', change: 'changed', decides: true, concerns: ['partner'] },
        details: [{ what: 'entries', before: [], after: ['new.example'] }],
      }),
    ]);

    const { json: back } = await rules('owner', 'POST', '/rules/versions/1/rollback', {});
    expect(back).toMatchObject({ state: 'in_force', version: 3, ruleset: first });
    expect(inForce().files).toEqual(FILES);
  });

  it('that a rule reads cannot be removed, nor be restored with an invalid entry', async () => {
    const { rules, inForce } = await start(isInDatabase);
    const attempt = async (file: string, text: string | null) => {
      const { json } = await rules('analyst', 'POST', '/rules/drafts', { files: { [file]: text } });
      return rules('analyst', 'POST', `/rules/drafts/${json.id}/backtest`, { revision: 1 });
    };
    const gone = await attempt('lists/partners.yaml', null);
    expect(gone.json).toMatchObject({
      state: 'faulty',
      problems: [{ code: 'unknown_list', file: 'b.yaml' }],
    });
    const bad = await attempt('lists/rented.txt', 'let.example\n*.rented.example\n');
    expect(bad.json).toMatchObject({
      ...{ state: 'faulty' },
      problems: [{ code: 'bad_list_value', file: 'lists/rented.txt', line: 2 }],
    });
    expect(inForce().files).toEqual(FILES);
  });
});

describe.each([
  ['a directory', false],
  ['a database', true],
] as const)('a named list in %s', (_, isInDatabase) => {
  it('is shown with its entries and the rules that read it', async () => {
    const { show, lists } = await start(isInDatabase);
    const { list, ...page } = await show('partners');
    expect(list).toMatchObject({
      ...{ name: 'partners', file: 'lists/partners.yaml', description: 'Domains of partners.' },
      ...{ owner: 'partnerships', entries: 2, expiring_soon: 1, expired: 0, next_end: '2026-12-01' },
      ...{ rules: [{ id: 'partner', mode: 'live', file: 'b.yaml' }], faults: [], warnings: [] },
    });
    const supplier = {
      ...{ value: '.supplier.example', stands_for: '.supplier.example', reason: 'Plants.' },
      ...{ owner: 'purchasing', expires: '2026-12-01', state: 'soon', is_repeated: false },
    };
    const partner = { ...supplier, value: 'partner.example', stands_for: 'partner.example', reason: null };
    expect(page).toEqual({
      ...{ total: 2, found: 2 },
      entries: [{ ...partner, owner: null, expires: null, state: 'holds' }, supplier],
    });
    expect(await show('partners', '?search=a.supplier.example')).toMatchObject({
      found: 1,
      entries: [supplier],
    });
    expect(await show('partners', '?offset=1&limit=1')).toMatchObject({
      found: 2,
      total: 2,
      entries: [supplier],
    });
    expect(await show('rented')).toMatchObject({
      list: { owner: null, description: null, next_end: null },
      entries: [
        { value: '.rented.example', reason: 'by the day' },
        { value: 'let.example', reason: null },
      ],
    });
    expect((await lists('analyst', 'GET', '/lists/named/nowhere/entries')).status).toBe(404);
  });

  it('adds, changes and removes an entry, each as a version with an audit entry, and keeps its comments', async () => {
    const { change, inForce, record, versions } = await start(isInDatabase);
    const first = inForce().hash;
    const added = await change('partners', {
      kind: 'add',
      entry: { value: 'new.example', reason: 'Signed.' },
    });
    expect(added.json).toMatchObject({ state: 'in_force', version: 2, ruleset: inForce().hash });
    expect(inForce().hash).not.toBe(first);
    expect(inForce().files['lists/partners.yaml']).toBe(
      `${PARTNERS}  - value: new.example\n    reason: Signed.\n`,
    );
    await change('partners', { kind: 'replace', value: 'NEW.example', entry: { value: 'newer.example' } });
    expect(inForce().files['lists/partners.yaml']).toBe(`${PARTNERS}  - value: newer.example\n`);
    await change('partners', { kind: 'remove', value: 'newer.example' });
    expect(inForce().files['lists/partners.yaml']).toBe(PARTNERS);
    expect(inForce().hash).toBe(first);
    await change('rented', { kind: 'add', entry: { value: 'x.example', reason: 'new' } });
    expect(inForce().files['lists/rented.txt']).toBe(`${FILES['lists/rented.txt']}x.example # new\n`);
    expect(record.mock.calls.map(([{ action, subject, detail }]) => [action, subject, detail])).toEqual([
      ['list.entry_added', 'partners: new.example', { list: 'partners', version: 2 }],
      ['list.entry_changed', 'partners: newer.example', { list: 'partners', version: 3 }],
      ['list.entry_removed', 'partners: newer.example', { list: 'partners', version: 4 }],
      ['list.entry_added', 'rented: x.example', { list: 'rented', version: 5 }],
    ]);
    expect((await versions.last())?.author).toBe('analyst@example.com');
  });

  it('shows the effect of a change on the recorded checks, and changes nothing', async () => {
    const { change, inForce } = await start(isInDatabase);
    const { json } = await change('partners', { kind: 'add', entry: { value: '.example' } }, 'effect');
    expect(json).toMatchObject({
      ...{ days: 30, checks: 2, of: 2, touched: 1, without_domain: 0, unseen: [] },
      flips: {
        to_block: {
          counts: { unlabelled: 1, good: 0, bad: 0 },
          examples: [{ id: 'chk_1', domain: 'new.example', score: { base: 0, candidate: 80 } }],
        },
        to_allow: { counts: { unlabelled: 0 } },
      },
    });
    const gone = await change('partners', { kind: 'remove', value: '.supplier.example' }, 'effect');
    expect(gone.json).toMatchObject({
      touched: 1,
      flips: { to_allow: { counts: { unlabelled: 1 }, examples: [{ id: 'chk_2' }] } },
    });
    const never = await change('partners', { kind: 'add', entry: { value: 'googlemail.com' } }, 'effect');
    expect(never.json).toMatchObject({ touched: 0, unseen: ['googlemail.com'] });
    expect(inForce().files).toEqual(FILES);
  });

  it.each([
    [
      { kind: 'add', entry: { value: 'partner.EXAMPLE' } },
      'entry/value',
      'it stands in lists/partners.yaml already',
    ],
    [
      { kind: 'add', entry: { value: '.supplier.example' } },
      'entry/value',
      'it stands in lists/partners.yaml already: Plants.',
    ],
    [
      { kind: 'add', entry: { value: '*.x.example' } },
      'entry/value',
      'none of x.org and .x.org',
      '.x.example',
    ],
    [{ kind: 'add', entry: { value: 'x.example', expires: 'soon' } }, 'entry/expires', 'date'],
    [
      { kind: 'add', entry: { value: 'x.example', expires: '2020-01-01' } },
      'entry/expires',
      'that day is over',
    ],
    [{ kind: 'remove', value: 'x.example' }, 'value', 'it does not stand in lists/partners.yaml'],
  ])('refuses %j at its field', async (made, path, message, meant?: string) => {
    const { change, inForce } = await start(isInDatabase);
    for (const what of ['effect', 'changes']) {
      const { status, json } = await change('partners', made, what);
      expect([status, json.error.code]).toEqual([400, 'invalid_request']);
      expect(json.error.details).toEqual([
        {
          path: `body/change/${path}`,
          message: expect.stringContaining(message),
          ...(meant !== undefined && { meant }),
        },
      ]);
    }
    expect(inForce().files).toEqual(FILES);
  });

  it('refuses entries that a .txt list cannot have, an outdated list, and one that does not exist', async () => {
    const { change, lists } = await start(isInDatabase);
    const owned = await change('rented', { kind: 'add', entry: { value: 'x.example', owner: 'risk' } });
    expect(owned.json.error.details).toMatchObject([{ path: 'body/change/entry/owner' }]);
    const add = { kind: 'add', entry: { value: 'x.example' } };
    const old = await change('rented', add, 'changes', '0123456789abcdef');
    expect([old.status, old.json.error.code]).toEqual([409, 'list_changed']);
    for (const what of ['effect', 'changes']) {
      expect((await change('nowhere', add, what, 'x')).status).toBe(404);
    }
    expect((await lists('viewer', 'GET', '/lists/named/partners/entries')).status).toBe(403);
    expect(
      (await lists('viewer', 'POST', '/lists/named/partners/changes', { version: 'x', change: add })).status,
    ).toBe(403);
  });

  it.each([
    ['yaml', { description: 'Rivals.', owner: 'risk' }, 'description: Rivals.\nowner: risk\nentries:\n'],
    ['txt', {}, '# A domain on each line; .example.org is the domain with its subdomains.\n'],
  ])(
    'is created as a .%s file: its effect first, then in force, with a version and an audit entry',
    async (kind, head, begins) => {
      const { lists, inForce, record, show } = await start(isInDatabase);
      const first = inForce().hash;
      const list = { kind, name: 'rivals', ...head, entries: ['new.example', 'googlemail.com'] };
      const { json: effect } = await lists('analyst', 'POST', '/lists/named-effect', { list });
      expect(effect).toMatchObject({
        ...{ days: 30, checks: 2, touched: 1, without_domain: 0, unseen: ['googlemail.com'] },
        flips: { to_block: { counts: { unlabelled: 0 } }, to_allow: { counts: { unlabelled: 0 } } },
      });
      expect(inForce().files).toEqual(FILES);
      const { json: made } = await lists('analyst', 'POST', '/lists/named', { list });
      // No rule reads it: the decisions do not change.
      expect(made).toMatchObject({ state: 'in_force', version: 2, ruleset: first });
      expect(inForce().files[`lists/rivals.${kind}`]).toMatch(begins);
      expect((await show('rivals')).entries).toMatchObject([
        { value: 'new.example' },
        { value: 'googlemail.com' },
      ]);
      expect(record.mock.calls.map(([{ action, subject, detail }]) => [action, subject, detail])).toEqual([
        ['list.made', 'rivals', { entries: 2, version: 2 }],
      ]);
    },
  );

  it('is not created twice, nor beside one of the other kind, nor with invalid entries', async () => {
    const { lists, inForce, record } = await start(isInDatabase);
    const about = { kind: 'yaml', description: 'Rivals.', owner: 'risk' };
    for (const [list, path, message] of [
      [{ ...about, name: 'partners', entries: [] }, 'name', 'there is such a list: lists/partners.yaml'],
      [{ ...about, name: 'rented', entries: [] }, 'name', 'there is such a list: lists/rented.txt'],
      [{ ...about, name: 'My-List', entries: [] }, 'name', 'only a-z, 0-9 and _'],
      [
        { kind: 'txt', name: 'rivals', entries: ['a.example', 'what'] },
        'entries/1',
        'none of x.org and .x.org',
      ],
    ] as const) {
      for (const what of ['named-effect', 'named']) {
        const { status, json } = await lists('analyst', 'POST', `/lists/${what}`, { list });
        expect([status, json.error.code]).toEqual([400, 'invalid_request']);
        expect(json.error.details).toMatchObject([
          { path: `body/list/${path}`, message: expect.stringContaining(message) },
        ]);
      }
    }
    const list = { ...about, name: 'rivals', entries: [] };
    expect((await lists('viewer', 'POST', '/lists/named', { list })).status).toBe(403);
    expect((await lists('viewer', 'POST', '/lists/named-effect', { list })).status).toBe(403);
    expect(inForce().files).toEqual(FILES);
    expect(record).not.toHaveBeenCalled();
  });

  it.each([
    [{ kind: 'yaml', name: 'rivals', description: 'Rivals.', entries: [] }, 'owner'],
    [{ kind: 'txt', name: 'rivals', owner: 'risk', entries: [] }, 'owner'],
    [{ kind: 'yaml', name: 'rivals', description: 'a\u202eb', owner: 'risk', entries: [] }, 'description'],
    [{ kind: 'txt', name: 'rivals', entries: ['a.example', 'b.example\nc.example'] }, 'entries/1'],
  ])('is not created with %j', async (list, path) => {
    const { lists } = await start(isInDatabase);
    const { status, json } = await lists('analyst', 'POST', '/lists/named', { list });
    const paths = json.error.details.map((detail: { path: string }) => detail.path);
    expect([status, ...new Set(paths)]).toEqual([400, `body/list/${path}`]);
  });

  it('can be created with a thousand entries of any length, and not with more', async () => {
    const { lists } = await start(isInDatabase);
    const label = 'x'.repeat(60);
    const entries = Array.from({ length: 1_000 }, (_, n) => `${n}.${label}.${label}.${label}.example`);
    const list = { kind: 'txt', name: 'rivals', entries };
    expect((await lists('analyst', 'POST', '/lists/named-effect', { list })).status).toBe(200);
    const more = { ...list, entries: [...entries, 'a.example'] };
    const { status, json } = await lists('analyst', 'POST', '/lists/named', { list: more });
    expect([status, json.error.details[0].path]).toEqual([400, 'body/list/entries']);
  });

  it('is not changed where a test of the rules would fail afterwards', async () => {
    const tests = '- { name: new, facts: { y.domain: new.example }, expect: { not_fired: [partner] } }\n';
    const { change, inForce } = await start(isInDatabase, { ...FILES, 'tests/b.yaml': tests });
    const { status, json } = await change('partners', { kind: 'add', entry: { value: 'new.example' } });
    expect([status, json.error.code]).toEqual([422, 'rules_refused']);
    expect(json.error.details[0].fault).toContain('test "new" failed');
    expect(inForce().files['lists/partners.yaml']).toBe(PARTNERS);
  });
});

describe('a named list with a fault', () => {
  it('is shown with it, without the rules that read it, and cannot be extended', async () => {
    const { show, change, write } = await start(false);
    write('lists/rented.txt', 'let.example\nwhat is this\n');
    expect(await show('rented')).toMatchObject({
      list: {
        rules: null,
        entries: 0,
        faults: [expect.stringContaining('lists/rented.txt:2:1 error bad_list_value')],
      },
      ...{ total: 0, entries: [] },
    });
    expect((await show('partners')).list).toMatchObject({ rules: null, entries: 2, faults: [] });
    const { status } = await change('rented', { kind: 'add', entry: { value: 'x.example' } });
    expect(status).toBe(400);
  });

  it('is shown with the lint messages for its entries', async () => {
    const { show } = await start(false, {
      ...FILES,
      'lists/rented.txt': '.rented.example\na.rented.example\n',
    });
    expect((await show('rented')).list.warnings).toMatchObject([{ line: 2, code: 'covered_entry' }]);
  });
});
