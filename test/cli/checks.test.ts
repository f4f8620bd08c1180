import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { CHECK_COLUMNS } from '../../src/storage/shared/records-database.ts';
import { expectDocumented } from '../docs/sample.ts';
import { checkOf } from '../storage/rows.ts';
import { aWorldWith, trailOf } from './recorded-world.ts';
import type { World } from './world.ts';

const LEDGER = [
  {
    kind: 'rule',
    points: 80,
    id: 'disposable',
    group: 'domain',
    saw: { 'domain.is_known_disposable': true },
  },
  { kind: 'level', points: 0, id: 'level_high', level: 'high', saw: { risk_score: 80 } },
  { kind: 'action', points: 0, id: 'block', action: 'BLOCK', saw: { risk_score: 80 } },
];

const AT = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`;

/** An hour of checks: the second was blocked, the third was of a test key, the last is of a subdomain. */
const anHour = () =>
  aWorldWith(
    { id: 'chk_1', created_at: AT(1) },
    {
      id: 'chk_2',
      created_at: AT(2),
      action: 'BLOCK',
      risk_score: 80,
      risk_level: 'high',
      domain: 'mail.tmp.example',
      ledger: JSON.stringify(LEDGER),
    },
    { id: 'chk_3', created_at: AT(3), environment: 'test' },
    { id: 'chk_4', created_at: AT(4), domain: 'eu.example.org' },
  );

describe('postern checks list', () => {
  it('lists records with the rules that fired, newest first', async () => {
    const world = await anHour();
    const { code, stdout } = await world.postern(['checks', 'list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^check +created +action +score +level +domain +rules +label$/m);
    expect(stdout).toMatch(
      /^chk_2 +2026-11-20T10:02:00\.000Z +BLOCK +80 +high +mail\.tmp\.example +disposable \+80$/m,
    );
    expect([...stdout.matchAll(/^chk_\d/gm)].map(([id]) => id)).toEqual(['chk_4', 'chk_3', 'chk_2', 'chk_1']);
  });

  it.each([
    [['--action', 'BLOCK'], ['chk_2']],
    [['--rule', 'disposable'], ['chk_2']],
    [['--rule', 'block'], ['chk_2']],
    [
      ['--domain', 'Example.ORG'],
      ['chk_3', 'chk_1'],
    ],
    [['--domain', '.example.org'], ['chk_4']],
    [['--domain', '.example.org.'], ['chk_4']],
    [['--env', 'test'], ['chk_3']],
    [
      ['--since', AT(3)],
      ['chk_4', 'chk_3'],
    ],
    [['--since', AT(2), '--until', AT(3), '--account', 'acc_1'], ['chk_2']],
    [['--since', '2026-11-21'], []],
  ])('finds with %j exactly the matching records', async (filter, found) => {
    const world = await anHour();
    const { code, json } = await world.postern(['checks', 'list', ...filter, '--json']);
    expect({ code, checks: json().checks.map(({ id }: { id: string }) => id) }).toEqual({
      code: 0,
      checks: found,
    });
  });

  it('stops at the limit and says that there are more records', async () => {
    const world = await anHour();
    const { stdout, stderr } = await world.postern(['checks', 'list', '--limit', '3']);
    expect(stdout.match(/^chk_/gm)).toHaveLength(3);
    expect(stderr).toContain('there are more: --limit 3 was reached');
    const { json, stderr: none } = await world.postern(['checks', 'list', '--limit', '4', '--json']);
    expect(json()).toMatchObject({ more: false, checks: { length: 4 } });
    expect(none).toBe('');
    const blocked = await world.postern(['checks', 'list', '--action', 'BLOCK', '--json']);
    expectDocumented('checks-list', blocked.json());
  });

  it.each([
    [['--account', 'nobody'], 1, 'there is no account "nobody" (postern accounts list)'],
    // As an unset shell variable leaves it.
    [['--account', ''], 1, 'there is no account ""'],
    [
      ['--rule', 'disposible'],
      1,
      'there is no rule "disposible", in the rules in force or in a record (did you mean disposable?)',
    ],
    [
      ['--since', '2026-11-21', '--until', '2026-11-20'],
      2,
      '--since is not before --until: no check lies between',
    ],
    ...['', '.', '@example.org', 'jane@example.org', 'https://example.org', '*.example.org'].map(
      (domain): [string[], number, string] => [
        ['--domain', domain],
        2,
        'It is example.org, or .example.org for all below it.',
      ],
    ),
    [['--since', 'yesterday'], 2, 'It is a day, 2026-11-01, or a time with its offset'],
    [['--action', 'DENY'], 2, 'Allowed choices are ALLOW, BLOCK'],
    [['--limit', '0'], 2, 'It is a number from 1 to 100000.'],
  ])('refuses %j with %i and names a valid form', async (given, code, said) => {
    const world = await anHour();
    const outcome = await world.postern(['checks', 'list', ...given]);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(said);
  });
});

describe('postern checks list --rule', () => {
  it.each([
    ['is in force and has not fired', ['--rule', 'no_mail']],
    ['only records know, others than those that are looked for', ['--rule', 'block', '--env', 'test']],
  ])('finds nothing for a rule that %s', async (_what, filter) => {
    const { code, json } = await (await anHour()).postern(['checks', 'list', ...filter, '--json']);
    expect({ code, checks: json().checks }).toEqual({ code: 0, checks: [] });
  });

  it('finds the name also in the oldest of many records', async () => {
    const old = {
      id: 'chk_1',
      created_at: AT(1),
      environment: 'test',
      ledger: JSON.stringify(LEDGER),
    } as const;
    const world = await aWorldWith(old, { id: 'chk_2', created_at: AT(2) });
    const database = new DatabaseSync(join(world.cwd, 'data/postern.db'));
    const columns = CHECK_COLUMNS.filter((column) => column !== 'id').join(', ');
    database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO checks (id, ${columns}) SELECT 'chk_2_' || i, ${columns} FROM n, checks WHERE id = 'chk_2'`);
    database.close();
    const found = await world.postern(['checks', 'list', '--rule', 'block', '--env', 'live', '--json']);
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(found.json()).toEqual({ checks: [], more: false });
  });

  it('does not read the rules for a name that is recorded', async () => {
    const world = await anHour();
    world.write('config/local.yaml', 'providers: { paths: [nowhere] }');
    const onRecord = ['checks', 'list', '--rule', 'block', '--env', 'test'];
    expect(await world.postern(onRecord)).toMatchObject({ code: 0, stderr: '' });
    expect((await world.postern(['checks', 'list', '--rule', 'nope'])).code).toBe(2);
  });

  it('accepts any name where the rules have errors, because no name can be refused then', async () => {
    const world = await anHour();
    world.write('rules/broken.yaml', 'group: [');
    const { code, stderr } = await world.postern(['checks', 'list', '--rule', 'nope']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('postern checks show', () => {
  it('shows the decision, its ledger and the unknown facts', async () => {
    const world = await aWorldWith({
      id: 'chk_1',
      action: 'BLOCK',
      risk_score: 80,
      risk_level: 'high',
      facts: { 'domain.is_known_disposable': true, 'domain.has_mx': null },
      evidence: '{"disposable":{"lists":["a"]}}',
      ledger: JSON.stringify(LEDGER),
      timings: { disposable: 12 },
      sources: { disposable: 'disposable-domains@2.0.1' },
      canonical: 'x@example.org',
    });
    const { code, stdout } = await world.postern(['checks', 'show', 'chk_1']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^check +chk_1$/m);
    expect(stdout).toMatch(/^action +BLOCK$/m);
    expect(stdout).toMatch(/^address +\(hashed\) at example\.org$/m);
    expect(stdout).toMatch(/^rule +disposable +domain +\+80 +domain\.is_known_disposable=true$/m);
    expect(stdout).toMatch(/^sum +80$/m);
    expect(stdout).toMatch(/^timeout +domain\.has_mx(,|$)/m);
    expect(stdout).toMatch(/^disposable +12 +disposable-domains@2\.0\.1 +\{"lists":\["a"\]\}$/m);
  });

  it.each([
    [{ address: 'Jane@example.org' }, 'Jane@example.org'],
    [{ domain: null }, 'not stored'],
  ])('shows the address as far as the record %j contains it', async (fields, shown) => {
    const world = await aWorldWith({ id: 'chk_1', ...fields });
    const { stdout } = await world.postern(['checks', 'show', 'chk_1']);
    expect(/^address +(.+)$/m.exec(stdout)?.[1]).toBe(shown);
  });

  it('shows the answer of the challenger, where there was one', async () => {
    const challenge = { ruleset: 'feedfeedfeedfeed', action: 'BLOCK', risk_score: 71, risk_level: 'high' };
    const world = await aWorldWith({ id: 'chk_1', challenger: JSON.stringify(challenge) }, { id: 'chk_2' });
    const show = (...argv: string[]) => world.postern(['checks', 'show', ...argv]);
    expect((await show('chk_1')).stdout).toMatch(/^challenger +BLOCK 71 high, by feedfeedfeedfeed$/m);
    expect((await show('chk_1', '--json')).json().challenger).toEqual(challenge);
    expect((await show('chk_2')).stdout).not.toContain('challenger');
  });

  it('prints the whole record as one JSON object', async () => {
    const world = await aWorldWith({ id: 'chk_1', ledger: JSON.stringify(LEDGER) });
    const { code, json } = await world.postern(['checks', 'show', 'chk_1', '--json']);
    expect(code).toBe(0);
    expect(json()).toEqual({
      ...checkOf('chk_1'),
      facts: { 'domain.has_mx': null },
      unknown: { 'domain.has_mx': 'timeout' },
      evidence: {},
      ledger: LEDGER,
      timings: { mx: 300000 },
      sources: {},
    });
  });

  it('exits with 1 when there is no such check', async () => {
    const { code, stdout, stderr } = await (await aWorldWith()).postern(['checks', 'show', 'chk_2']);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'there is no check "chk_2"\n',
    });
  });
});

describe('postern checks forget', () => {
  const ids = async (world: World, ...all: string[]) => {
    const found = await Promise.all(all.map((id) => world.postern(['checks', 'show', id])));
    return all.filter((_, index) => found[index]?.code === 0);
  };

  it('erases every record of the person, whatever form of the address is given, and no other record', async () => {
    const world = await aWorldWith(
      { id: 'chk_1', canonical: 'janedoe@gmail.com' },
      { id: 'chk_2', canonical: 'janedoe@gmail.com' },
      { id: 'chk_3', canonical: 'john@gmail.com' },
    );
    const { code, stdout } = await world.postern(['checks', 'forget', 'Jane.Doe+news@googlemail.com']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '2 records erased\n' });
    expect(await ids(world, 'chk_1', 'chk_2', 'chk_3')).toEqual(['chk_3']);
  });

  it('leaves an entry in the audit trail that does not tell whose records they were', async () => {
    const world = await aWorldWith({ id: 'chk_1', canonical: 'jane@example.org' });
    for (const _ of [1, 2]) await world.postern(['checks', 'forget', 'jane@example.org']);
    const detail = { command: 'checks forget', records: 1, labels: 0 };
    expect(await trailOf(world)).toEqual([['command line', 'check.erased', null, detail]]);
  });

  it('prints JSON with --json', async () => {
    const world = await aWorldWith({ id: 'chk_1', canonical: 'jane@example.org' });
    const { json } = await world.postern(['checks', 'forget', 'jane@example.org', '--json']);
    expect(json()).toEqual({ canonical: 'jane@example.org', erased: 1, labels: 0 });
  });

  it('exits with 1 when there was nothing to erase', async () => {
    const { code, stdout } = await (await aWorldWith()).postern(['checks', 'forget', 'jane@example.org']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'nothing erased\n' });
  });

  it('says with privacy `none` that such records cannot be found, and still erases older ones', async () => {
    const world = await aWorldWith({ id: 'chk_1', canonical: 'jane@example.org' }, { id: 'chk_2' });
    const env = { POSTERN__PRIVACY__STORE_ADDRESSES: 'none' };
    const first = await world.postern(['checks', 'forget', 'jane@example.org'], { env });
    expect(first).toMatchObject({ code: 0, stdout: '1 record erased\n' });
    const second = await world.postern(['checks', 'forget', 'jane@example.org'], { env });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('privacy.store_addresses: none');
    expect(second.stderr).toContain('cannot be found');
  });

  it('cannot run on a text that is no address', async () => {
    const { code, stderr } = await (await aWorldWith()).postern(['checks', 'forget', 'nobody']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^postern: "nobody" is no address: /);
  });

  it('cannot run without the key of the hashes, and makes no new key', async () => {
    const world = await aWorldWith({ id: 'chk_1', canonical: 'jane@example.org' });
    rmSync(join(world.cwd, 'data/secrets/hmac.key'));
    for (const _ of [1, 2]) {
      const { code, stderr } = await world.postern(['checks', 'forget', 'jane@example.org']);
      expect(code).toBe(2);
      expect(stderr).toContain('secrets/hmac.key is not there');
    }
  });
});
