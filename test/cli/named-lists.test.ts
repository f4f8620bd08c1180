import { describe, expect, it } from 'vitest';
import { aWorld } from './world.ts';

const PARTNERS =
  'description: Domains of partners.\nowner: partnerships\nentries:\n  - partner.example # since May\n  - { value: .supplier.example, reason: Plants., owner: purchasing, expires: 2099-06-30 }\n';
const RULE =
  'group: partners\ndescription: Partners.\nmax_score: 50\nrules:\n  - id: known_partner\n    description: One of ours.\n    owner: risk\n    mode: live\n    conditions: { all: [{ fact: address.domain, operator: in_list, value: partners }] }\n    event: { type: points, params: { points: -15 } }\n';

/** The shipped rules, with two lists, of which a rule reads one. */
const start = (files: Readonly<Record<string, string>> = {}) =>
  aWorld({
    'rules/lists/partners.yaml': PARTNERS,
    'rules/lists/rented.txt': '.rented.example # by the day\nlet.example\n',
    'rules/partners.yaml': RULE,
    ...files,
  });
const named = (world: ReturnType<typeof start>, ...argv: string[]) =>
  world.postern(['lists', 'named', ...argv]);

describe('postern lists named', () => {
  it('lists each list, its expiring entries, and the rules that read it; so does lists status', async () => {
    const world = start();
    const { code, stdout } = await named(world, 'list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^partners +2 +0 +0 +partnerships +known_partner$/m);
    expect(stdout).toMatch(/^rented +2 +0 +0 +no rule$/m);
    const { lists } = (await named(world, 'list', '--json')).json();
    expect(lists[0]).toMatchObject({
      ...{ name: 'partners', file: 'lists/partners.yaml', description: 'Domains of partners.' },
      ...{ owner: 'partnerships', entries: 2, expiring_soon: 0, expired: 0, next_end: '2099-06-30' },
      ...{ rules: [{ id: 'known_partner', mode: 'live', file: 'partners.yaml' }], faults: [] },
    });
    expect(lists[1]).toMatchObject({ owner: null, rules: [], warnings: [{ code: 'unused_list', line: 1 }] });
    const status = await world.postern(['lists', 'status', '--json']);
    expect(status.json().named).toEqual(lists);
    expect((await world.postern(['lists', 'status'])).stdout).toMatch(/^partners +2 /m);
  });

  it('says that there are none', async () => {
    expect((await named(aWorld(), 'list')).stdout).toMatch(/^There is no named list: /);
  });

  it('shows a list with a fault as it is, and exits with 1', async () => {
    const { code, stdout, stderr } = await named(
      start({ 'rules/lists/rented.txt': '*.x.example\n' }),
      'list',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^partners +2 +0 +0 +partnerships +the rules have errors$/m);
    expect(stderr).toMatch(/lists\/rented\.txt:1:1 error bad_list_value/);
  });

  it('lists entries, those of a search, and those that match a domain', async () => {
    const world = start();
    const { stdout } = await named(world, 'entries', 'partners');
    expect(stdout.split('\n')).toEqual([
      'value              reason   owner       expires',
      'partner.example',
      '.supplier.example  Plants.  purchasing  2099-06-30',
      '',
    ]);
    const values = async (...argv: string[]) =>
      (await named(world, 'entries', ...argv, '--json'))
        .json()
        .entries.map(({ value }: { value: string }) => value);
    expect(await values('partners', '--search', 'PLANT')).toEqual(['.supplier.example']);
    expect(await values('lists/partners.yaml', '--search', 'mail.supplier.example')).toEqual([
      '.supplier.example',
    ]);
    expect(await values('partners', '--search', 'nowhere')).toEqual([]);
    expect((await named(world, 'entries', 'rented', '--json')).json()).toEqual({
      list: 'rented',
      entries: [
        { value: '.rented.example', reason: 'by the day', owner: null, expires: null },
        { value: 'let.example', reason: null, owner: null, expires: null },
      ],
      ...{ found: 2, total: 2 },
    });
    const cut = await named(world, 'entries', 'rented', '--limit', '1');
    expect(cut.stderr).toContain('2 entries, of which these are the first 1: --limit shows more');
  });

  it('adds and removes an entry of either kind, keeps comments, and the next check uses it', async () => {
    const world = start();
    const score = async () =>
      (await world.postern(['rules', 'explain', '--offline', 'jane@new.example', '--json'])).json().lists;
    expect(await score()).toEqual([]);
    const added = await named(
      world,
      'add',
      'partners',
      'new.example',
      '--reason',
      'Signed.',
      '--expires',
      '2099-01-01',
    );
    expect(added).toMatchObject({
      code: 0,
      stdout: 'new.example added to rules/lists/partners.yaml. A running service takes it within seconds.\n',
    });
    expect(world.read('rules/lists/partners.yaml')).toBe(
      `${PARTNERS}  - value: new.example\n    reason: Signed.\n    expires: 2099-01-01\n`,
    );
    expect(await score()).toMatchObject([{ list: 'partners', entry: 'new.example' }]);
    expect((await named(world, 'remove', 'partners', 'NEW.example', '--json')).json()).toEqual({
      list: 'partners',
      removed: { value: 'new.example', reason: 'Signed.', owner: null, expires: '2099-01-01' },
    });
    expect(world.read('rules/lists/partners.yaml')).toBe(PARTNERS);
    expect((await named(world, 'add', 'rented', 'x.example', '--json')).json()).toEqual({
      ...{ list: 'rented', stands_for: 'x.example' },
      added: { value: 'x.example', reason: null, owner: null, expires: null },
    });
    expect(world.read('rules/lists/rented.txt')).toBe(
      '.rented.example # by the day\nlet.example\nx.example\n',
    );
  });

  it('warns of an entry that no address can match, and of an expired one', async () => {
    expect((await named(start(), 'add', 'rented', '.googlemail.com')).stderr).toBe(
      'warning: an address at googlemail.com counts as one at gmail.com: rules that read its domain never see googlemail.com\n',
    );
    expect(
      (await named(start(), 'add', 'partners', 'x.example', '--expires', '2020-01-01')).stderr,
    ).toContain('2020-01-01 is past: the entry does nothing');
  });

  it.each([
    [['add', 'nowhere', 'x.example'], 1, 'there is no list "nowhere": "postern lists named list" names'],
    [
      ['add', 'nowhere', 'x.example'],
      1,
      'a file lists/nowhere.yaml or lists/nowhere.txt in the rules makes one',
    ],
    [['entries', '../decision'], 1, 'there is no list "../decision"'],
    [['entries', 'Good-Partners'], 1, 'a name has a to z, 0 to 9 and _ alone'],
    [['remove', 'rented', 'x.example'], 1, '"x.example" does not stand in rules/lists/rented.txt'],
    [
      ['add', 'rented', '.RENTED.example'],
      2,
      '".rented.example" stands in rules/lists/rented.txt already: by the day',
    ],
    [['add', 'rented', 'x.example', '--owner', 'risk'], 2, 'a .txt list has a domain on each line'],
    [['add', 'partners', 'jane@x.example'], 2, 'addresses stand in allow.yaml and deny.yaml'],
    [['add', 'partners', 'x.example', '--expires', 'soon'], 2, 'bad_date'],
  ])('refuses %j and writes nothing', async (argv, expected, complaint) => {
    const world = start();
    const { code, stdout, stderr } = await named(world, ...argv);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toContain(complaint);
    expect(world.read('rules/lists/partners.yaml')).toBe(PARTNERS);
    expect(world.read('rules/lists/rented.txt')).toBe('.rented.example # by the day\nlet.example\n');
  });

  it('edits no list with a fault, and shows the place', async () => {
    const world = start({ 'rules/lists/rented.txt': 'let.example\nwhat is this\n' });
    const { code, stderr } = await named(world, 'add', 'rented', 'x.example');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^rules\/lists\/rented\.txt:2:1 error bad_list_value/m);
  });

  it('keeps all concurrent additions', async () => {
    const world = start();
    const values = Array.from({ length: 5 }, (_, index) => `shop${index}.example`);
    await Promise.all(values.map((value) => named(world, 'add', 'rented', value)));
    const { entries } = (await named(world, 'entries', 'rented', '--search', 'shop', '--json')).json();
    expect(entries.map(({ value }: { value: string }) => value).sort()).toEqual(values);
  });
});
