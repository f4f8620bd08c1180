import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bucketOf, bucketsInside } from '../../src/rules/rollout.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { aWorldWith } from './recorded-world.ts';
import { aWorld, type World } from './world.ts';

const RULE = `group: tried
description: What is tried.
max_score: 100
rules:
  - id: tried_out
    description: Fires for every address of example.com.
    owner: risk
    mode: live
    rollout: { percent: 50 }
    conditions: { all: [{ fact: address.domain, operator: equal, value: example.com }] }
    event: { type: points, params: { points: 90 } }
`;
const PEOPLE = Array.from({ length: 12 }, (_, n) => `person${n}@example.com`);
const inside = new Set(bucketsInside({ percent: 50, salt: 'tried_out' }));

/** With the key that a first start would have made, and a record of each person. */
async function aWorldOfPeople(): Promise<World> {
  const world = await aWorldWith(
    ...PEOPLE.map((canonical, n) => ({
      id: `chk_${n}`,
      canonical,
      facts: { 'address.domain': 'example.com' },
    })),
    { id: 'chk_nobody', facts: { 'address.domain': 'example.com' } },
  );
  world.write('rules/tried.yaml', RULE);
  return world;
}

async function sidesByRecord(world: World): Promise<readonly boolean[]> {
  const storage = await openSqliteStorage({ file: join(world.cwd, 'data/postern.db'), durability: 'commit' });
  const found = await Promise.all(PEOPLE.map((_, n) => storage.checks.find(`chk_${n}`)));
  await storage.close();
  return found.map((row) => inside.has(bucketOf(row?.address_hmac ?? null) ?? ''));
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the command line
const kindOf = ({ ledger }: any) => ledger.find(({ id }: { id: string }) => id === 'tried_out')?.kind;

describe('a command', () => {
  it('puts an address on the same side as the service does, by the key in the data directory', async () => {
    const world = await aWorldOfPeople();
    const { stdout, stderr } = await world.postern(['check', ...PEOPLE, '--offline', '--json']);
    const kinds = stdout
      .trim()
      .split('\n')
      .map((line) => kindOf(JSON.parse(line)));
    const sides = await sidesByRecord(world);
    expect(kinds).toEqual(sides.map((isInside) => (isInside ? 'rule' : 'shadow')));
    expect(new Set(kinds).size).toBe(2);
    expect(stderr).not.toContain('rollout');
  });

  it('reports where there is no key that the side is unknown, and runs without these rules', async () => {
    const world = aWorld({ 'rules/tried.yaml': RULE });
    const { stdout, stderr } = await world.postern(['check', 'jane@example.com', '--offline', '--json']);
    expect(stderr).toMatch(
      /secrets\/hmac\.key is not there: on which side of a rollout an address is cannot be told, and these rules stand aside: tried_out$/m,
    );
    expect(JSON.parse(stdout).ledger).toContainEqual({
      kind: 'stood_aside',
      points: 0,
      id: 'tried_out',
      unknown: ['rollout.bucket'],
    });
  });

  it('reports the same of a key that it may not use', async () => {
    const world = await aWorldOfPeople();
    writeFileSync(join(world.cwd, 'data/secrets/hmac.key'), 'short');
    const { stdout, stderr } = await world.postern(['check', 'jane@example.com', '--offline', '--json']);
    expect(stderr).toMatch(/hmac\.key.*: on which side of a rollout an address is cannot be told/);
    expect(kindOf(JSON.parse(stdout))).toBe('stood_aside');
  });

  it('reads no key where no rule is rolled out', async () => {
    const world = aWorld();
    const { stderr } = await world.postern(['check', 'jane@example.com', '--offline']);
    expect(stderr).not.toContain('rollout');
  });
});

describe('postern check --explain', () => {
  it('shows the side in the same words as rules explain, and not for a rule that is not in the ledger', async () => {
    const world = await aWorldOfPeople();
    const sides = await sidesByRecord(world);
    const { stdout } = await world.postern(['check', ...PEOPLE, '--offline', '--explain']);
    const told = stdout.match(/^tried_out: .*$/gm);
    expect(told).toEqual(
      sides.map((isInside) => `tried_out: ${isInside ? 'inside' : 'outside'} the 50 % of its rollout`),
    );
    const other = await world.postern(['check', 'jane@example.org', '--offline', '--explain']);
    expect(other.stdout).not.toContain('rollout');
    const { stdout: lines } = await world.postern(['check', ...PEOPLE, '--offline', '--json']);
    const rollouts = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).rollouts);
    expect(rollouts).toEqual(sides.map((inside) => [{ rule: 'tried_out', percent: 50, inside }]));
  });
});

describe('postern rules backtest', () => {
  const changed = RULE.replace('percent: 50', 'percent: 99');

  it('replays the side of each record by its hash, and reports records without a hash as not judged', async () => {
    const world = await aWorldOfPeople();
    world.write('draft/tried.yaml', changed);
    world.write('draft/decision.yaml', world.read('rules/decision.yaml'));
    const { json, stderr } = await world.postern(['rules', 'backtest', 'draft', '--json']);
    expect(stderr).toBe('');
    const report = json();
    const wasOutside = (await sidesByRecord(world)).filter((isInside) => !isInside).length;
    expect(report.flips.to_block.counts.unlabelled).toBeGreaterThan(0);
    expect(report.flips.to_block.counts.unlabelled).toBeLessThanOrEqual(wasOutside);
    expect(report.flips.to_allow.counts.unlabelled).toBe(0);
    expect(report.unjudged).toContainEqual(
      expect.stringMatching(
        /tried_out could not be judged in 1 of 13 checks: their records do not have .*rollout\.bucket/,
      ),
    );
    expect(report.is_judged).toBe(false);
    const figures = report.rules.find(({ id }: { id: string }) => id === 'tried_out');
    expect(figures.base).toMatchObject({ mode: 'live', points: 90, unjudged: 1 });
    expect(figures.base.by_label.unlabelled).toBe(PEOPLE.length - wasOutside);
    expect(figures.base.rollout).toEqual({
      percent: 50,
      outside: { good: 0, bad: 0, unlabelled: wasOutside },
    });
    const { stdout } = await world.postern(['rules', 'backtest', 'draft']);
    expect(stdout).toMatch(/^ *tried_out \(50 % → 99 %\) +90 /m);
  });

  it('reports in how many cases a rule fired outside its rollout', async () => {
    const world = await aWorldOfPeople();
    world.write('draft/tried.yaml', RULE.replace('percent: 50', 'percent: 1'));
    world.write('draft/decision.yaml', world.read('rules/decision.yaml'));
    const backtest = (...format: readonly string[]) =>
      world.postern(['rules', 'backtest', 'draft', ...format]);
    const { candidate } = (await backtest('--json'))
      .json()
      .rules.find(({ id }: { id: string }) => id === 'tried_out');
    const outside = candidate.rollout.outside.unlabelled;
    expect(outside).toBeGreaterThan(1);
    for (const { stdout } of [await backtest(), await backtest('--format', 'markdown')]) {
      expect(stdout).toMatch(
        new RegExp(`tried\\\\?_out \\\\?\\(50 % → 1 %, fired outside in ${outside} cases\\\\?\\)`),
      );
    }
  });

  it('puts the addresses in a file on their sides by the key', async () => {
    const world = await aWorldOfPeople();
    world.write('draft/tried.yaml', changed);
    world.write('draft/decision.yaml', world.read('rules/decision.yaml'));
    world.write('people.csv', ['email', ...PEOPLE, ''].join('\n'));
    const { json } = await world.postern(['rules', 'backtest', 'draft', '--file', 'people.csv', '--json']);
    const isInside = (await sidesByRecord(world)).filter((side) => side).length;
    const figures = json().rules.find(({ id }: { id: string }) => id === 'tried_out');
    expect(figures.base.by_label.unlabelled).toBe(isInside);
    expect(json().is_judged).toBe(true);
  });

  it('uses the hash of a JSON line, and judges no line without it', async () => {
    const world = await aWorldOfPeople();
    world.write('draft/tried.yaml', changed);
    world.write('draft/decision.yaml', world.read('rules/decision.yaml'));
    const facts = { 'address.domain': 'example.com' };
    const bucket = Number([...inside][0]);
    const hmac = `${bucket.toString(16).padStart(8, '0')}${'0'.repeat(56)}`;
    const lines = [{ facts, address_hmac: hmac }, { facts, address_hmac: 'no hash' }, { facts }];
    world.write('people.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    const { json } = await world.postern(['rules', 'backtest', 'draft', '--file', 'people.jsonl', '--json']);
    const figures = json().rules.find(({ id }: { id: string }) => id === 'tried_out');
    expect(figures.base.by_label.unlabelled).toBe(1);
    expect(figures.base.unjudged).toBe(2);
  });
});

describe('postern rules explain', () => {
  it('shows on which side of a rollout the person of a record is, and why a rule is skipped without one', async () => {
    const world = await aWorldOfPeople();
    const sides = await sidesByRecord(world);
    for (const isInside of [true, false]) {
      const { stdout } = await world.postern(['rules', 'explain', `chk_${sides.indexOf(isInside)}`]);
      const side = isInside ? 'inside' : 'outside';
      expect(stdout).toMatch(new RegExp(`^tried_out: ${side} the 50 % of its rollout$`, 'm'));
      expect(stdout).toMatch(
        isInside ? /^ +rule +tried_out +tried +\+90 +/m : /^ +shadow +tried_out .*would add \+90/m,
      );
      expect(stdout).not.toContain('is in list');
    }
    const { stdout } = await world.postern(['rules', 'explain', 'chk_nobody']);
    expect(stdout).toMatch(/could not be judged: .*tried_out.*the record does not have .*rollout\.bucket/);
    expect(stdout).toMatch(
      /^tried_out: inside or outside the 50 % of its rollout: the address is not known, nor its hash$/m,
    );
  });

  it('names the missing key as the reason, and needs no key for a record', async () => {
    const world = await aWorldOfPeople();
    const sides = await sidesByRecord(world);
    rmSync(join(world.cwd, 'data/secrets/hmac.key'));
    const unknown =
      'tried_out: inside or outside the 50 % of its rollout: the key by which addresses are hashed is missing, or cannot be used';
    for (const command of [
      ['rules', 'explain'],
      ['check', '--explain'],
    ]) {
      const { stdout } = await world.postern([...command, '--offline', PEOPLE[0] ?? '']);
      expect(stdout.split('\n')).toContain(unknown);
    }
    const { stdout, stderr } = await world.postern(['rules', 'explain', 'chk_0']);
    expect(stdout).toMatch(new RegExp(`^tried_out: ${sides[0] ? 'inside' : 'outside'} the 50 %`, 'm'));
    expect(stderr).toBe('');
  });

  it('shows the side for an address, and for facts without a person', async () => {
    const world = await aWorldOfPeople();
    const [first] = await sidesByRecord(world);
    const explain = async (...rest: readonly string[]) =>
      (await world.postern(['rules', 'explain', ...rest, '--json'])).json();
    expect((await explain('--offline', PEOPLE[0] ?? '')).rollouts).toEqual([
      { rule: 'tried_out', percent: 50, inside: first },
    ]);
    expect((await explain('--offline', 'jane@example.org')).rollouts).toEqual([]);
    world.write('facts.yaml', 'address.domain: example.com\n');
    expect((await explain('--facts', 'facts.yaml')).rollouts).toEqual([
      { rule: 'tried_out', percent: 50, inside: null },
    ]);
  });
});

it('postern rules diff shows for how many more people a rule is rolled out', async () => {
  const world = await aWorldOfPeople();
  world.write('draft/tried.yaml', RULE.replace('percent: 50', 'percent: 75'));
  world.write('draft/decision.yaml', world.read('rules/decision.yaml'));
  const { stdout } = await world.postern(['rules', 'diff', 'draft']);
  expect(stdout).toMatch(/^ +~ rule tried_out$\n +rollout 50 % → 75 %$/m);
});

it('postern rules test runs with every person inside each rollout', async () => {
  const world = aWorld({
    'rules/tried.yaml': RULE.replace('percent: 50', 'percent: 1'),
    'rules/tests/tried.yaml':
      '- { name: fires, facts: { address.domain: example.com }, expect: { fired: [tried_out], action: BLOCK } }\n- { name: keeps quiet, facts: {}, expect: { not_fired: [tried_out] } }\n',
  });
  const { code, stdout } = await world.postern(['rules', 'test']);
  expect(stdout).toMatch(/ 0 failed$/m);
  expect(code).toBe(0);
});
