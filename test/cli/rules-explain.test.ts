import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NewCheck } from '../../src/storage/ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { checkOf } from '../storage/rows.ts';
import { aWorld, type World } from './world.ts';

async function aWorldWithCheck(fields: Partial<NewCheck>): Promise<World> {
  const world = aWorld();
  const storage = await openSqliteStorage({ file: join(world.cwd, 'data/postern.db'), durability: 'commit' });
  await storage.checks.append(checkOf('chk_1', fields));
  await storage.close();
  return world;
}

const explain = (world: World, ...rest: readonly string[]) => world.postern(['rules', 'explain', ...rest]);

describe('postern rules explain', () => {
  it('shows the ledger of an address, and what would have changed the decision', async () => {
    const { code, stdout } = await explain(aWorld(), '--offline', 'x@mailinator.com');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^BLOCK +\d+ +high +x@mailinator\.com$/m);
    expect(stdout).toMatch(/^ +rule +disposable +domain +\+\d+ +domain\.is_known_disposable=true$/m);
    expect(stdout).toMatch(/^ +not_run +(.*, )?domain\.has_mx(,|$)/m);
    expect(stdout).toMatch(/^ALLOW needs \d+ points? fewer\.$/m);
    expect(stdout).toMatch(
      /^ +domain\.is_known_disposable=false +domain\.is_known_disposable=true +\d+ +low +ALLOW$/m,
    );
  });

  it('uses the facts of a file, with ordinary values for missing ones', async () => {
    const world = aWorld({ 'facts.yaml': 'domain.has_mx: false\nmx.outcome: null\n' });
    const { json } = await explain(world, '--facts', 'facts.yaml', '--json');
    expect(json()).toMatchObject({
      explained: 'facts.yaml',
      recorded: null,
      signals: { 'domain.has_mx': false, 'syntax.valid_format': true },
      unknown: { 'mx.outcome': 'stated' },
      turn: { action: expect.stringMatching(/ALLOW|BLOCK/), points: expect.any(Number) },
    });
  });

  it('uses the rules of a draft', async () => {
    const world = aWorld({ 'facts.yaml': 'domain.is_known_disposable: true\n' });
    await world.postern(['rules', 'lint']);
    world.write('draft/decision.yaml', world.read('rules/decision.yaml'));
    const { json } = await explain(world, '--facts', 'facts.yaml', '--dir', 'draft', '--json');
    expect(json()).toMatchObject({ summary: { risk_score: 0 }, turn: { flips: expect.any(Array) } });
  });

  it('names the entry of a named list that matches the domain', async () => {
    const world = aWorld();
    await world.postern(['rules', 'lint']);
    world.write('rules/lists/rented.txt', '.example.org\n');
    world.write(
      'rules/rented.yaml',
      'group: rented\ndescription: Rented names.\nmax_score: 50\nrules:\n  - id: rented_name\n    description: Let by the day.\n    owner: risk\n    mode: live\n    conditions: { all: [{ fact: address.domain, operator: in_list, value: rented }] }\n    event: { type: points, params: { points: 50 } }\n',
    );
    const { stdout } = await explain(world, '--offline', 'jane@shop.example.org');
    expect(stdout).toMatch(/^ +address\.domain: shop\.example\.org is in list rented by \.example\.org$/m);
    const { json } = await explain(world, '--offline', 'jane@shop.example.org', '--json');
    expect(json().lists).toEqual([
      { fact: 'address.domain', value: 'shop.example.org', list: 'rented', entry: '.example.org' },
    ]);
  });

  it('says whether a named condition holds, and shows its definition', async () => {
    const world = aWorld({ 'facts.yaml': 'domain.has_mx: false\n', 'open.yaml': 'domain.has_mx: null\n' });
    await world.postern(['rules', 'lint']);
    world.write(
      'rules/shared.yaml',
      'group: shared\ndescription: Shared.\nmax_score: 50\nconditions:\n  unread: { description: Nobody reads it., conditions: { all: [{ fact: domain.has_mx, operator: equal, value: false }] } }\nrules:\n  - id: unread_name\n    description: Nobody reads it.\n    owner: risk\n    mode: live\n    conditions: { all: [{ condition: unread }] }\n    event: { type: points, params: { points: 50 } }\n',
    );
    const meaning = 'domain.has_mx equal false';
    const { stdout } = await explain(world, '--facts', 'facts.yaml');
    expect(stdout).toContain(`\ncondition unread holds: ${meaning}; for unread_name\n`);
    const ordinary = await explain(world, '--facts', 'open.yaml');
    expect(ordinary.stdout).toContain(`\ncondition unread is unknown: ${meaning}; for unread_name\n`);
    const { json } = await explain(world, '--facts', 'facts.yaml', '--json');
    expect(json().conditions).toEqual([
      { name: 'unread', holds: true, means: meaning, rules: ['unread_name'] },
    ]);
  });

  it('explains a record from its own facts, and says when other rules decided it', async () => {
    const world = await aWorldWithCheck({
      facts: { 'domain.is_known_disposable': true, 'domain.has_mx': null, 'typo.suggestion': null },
      unknown: '{"domain.has_mx":"timeout","typo.suggestion":"not_stored"}',
      ruleset: '00000000000000aa',
    });
    const { code, stdout } = await explain(world, 'chk_1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^BLOCK +\d+ +high +chk_1$/m);
    expect(stdout).toMatch(
      /^recorded 2026-\S+: ALLOW 12 low, by the rules 00000000000000aa; this is what the rules [0-9a-f]{16} make of the same facts$/m,
    );
    expect(stdout).toMatch(/^ +timeout +(.*, )?domain\.has_mx(,|$)/m);
    expect(stdout).toMatch(/^ +not_stored +(.*, )?typo\.suggestion(,|$)/m);
    expect(stdout).toMatch(/^ +not_recorded +(.*, )?relay\.is_relay(,|$)/m);
  });

  it('says that the rules in force made the record', async () => {
    const { json } = await explain(aWorld(), '--offline', 'jane@example.org', '--json');
    const world = await aWorldWithCheck({ ruleset: json().ruleset });
    expect((await explain(world, 'chk_1')).stdout).toMatch(/^recorded \S+: ALLOW 12 low, by these rules$/m);
  });

  it.each([
    ['nothing', [], 'name what to explain'],
    ['two things', ['jane@example.org', '--facts', 'facts.yaml'], 'do not go together: name one of them'],
    ['a file that is not there', ['--facts', 'none.yaml'], 'none.yaml cannot be read'],
    [
      'facts that nobody answers',
      ['--facts', 'bad.yaml'],
      'bad.yaml:1:1 error unknown_fact no provider answers a fact "domain.has_mxx" (did you mean "domain.has_mx"?)',
    ],
    ['a record without a database', ['chk_1'], 'there is no database'],
    ['a draft with mistakes', ['--facts', 'facts.yaml', '--dir', 'broken'], 'broken/decision.yaml:1:1'],
  ])('cannot explain %s', async (_case, argv, message) => {
    const world = aWorld({
      'facts.yaml': '{}\n',
      'bad.yaml': 'domain.has_mxx: true\n',
      'broken/decision.yaml': 'levls: []\n',
    });
    const { code, stdout, stderr } = await explain(world, ...argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('exits with 1 for a text that is not an address, and for a record that does not exist', async () => {
    const refused = await explain(aWorld(), '--offline', 'nobody');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('An email address needs an @ sign.');
    const unparsed = await explain(aWorld(), '--offline', 'nobody', '--json');
    expect(unparsed.json().error.code).toBe('unparseable_email');
    const missing = await explain(await aWorldWithCheck({}), 'chk_2');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('there is no check "chk_2"');
  });
});
