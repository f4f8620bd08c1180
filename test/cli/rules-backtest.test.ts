import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { NewCheck } from '../../src/storage/ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { expectSample } from '../docs/sample.ts';
import { accountOf, checkOf } from '../storage/rows.ts';
import { ORDINARY } from './ordinary-facts.ts';
import { aWorld, type World } from './world.ts';

const BLOCK_FROM = 'block_score: { value: 70';

/** A set-up whose rules directory has a draft beside it, with the given changes. */
async function aWorldWith(
  checks: readonly Partial<NewCheck>[],
  change: (decision: string) => string,
): Promise<World> {
  const world = aWorld();
  const decision = world.read('rules/decision.yaml');
  for (const name of RULE_FILES) world.write(`draft/${name}`, world.read(`rules/${name}`));
  expect(change(decision)).not.toBe(decision);
  world.write('draft/decision.yaml', change(decision));
  const storage = await openSqliteStorage({ file: join(world.cwd, 'data/postern.db'), durability: 'commit' });
  await storage.accounts.create(accountOf('acc_1'));
  await storage.accounts.create(accountOf('acc_2'));
  await Promise.all(
    checks.map((fields, index) => storage.checks.append(checkOf(fields.id ?? `chk_${index}`, fields))),
  );
  await storage.close();
  return world;
}

const RULE_FILES = [
  'decision.yaml',
  'address.yaml',
  'domain.yaml',
  'velocity.yaml',
  'signals.yaml',
  'allow.yaml',
  'deny.yaml',
];
const lower = (decision: string) => decision.replace(BLOCK_FROM, 'block_score: { value: 30');
/** 30 points by the shipped rules: between the two thresholds. */
const RISKY_TLD = { facts: { ...ORDINARY, 'domain.tld_risk_level': 'high' }, domain: 'shop.example' };
/** 65 points. */
const MADE_UP = {
  facts: {
    ...ORDINARY,
    'gibberish.is_likely': true,
    'domain.is_role_account': true,
    'domain.tld_risk_level': 'high',
    'relay.is_relay': false,
  },
};
const QUIET = { facts: { ...ORDINARY, 'domain.tld_risk_level': 'low' } };
/** As a check was recorded before most of the providers existed. */
const OLD = { facts: { 'domain.tld_risk_level': 'high' }, domain: 'shop.example' };

const backtest = (world: World, ...rest: readonly string[]) => world.postern(['rules', 'backtest', ...rest]);

describe('postern rules backtest', () => {
  it('shows on one screen the effect of a lower threshold', async () => {
    const world = await aWorldWith([RISKY_TLD, RISKY_TLD, QUIET, { ...QUIET, action: 'BLOCK' }], lower);
    const { code, stdout, stderr } = await backtest(world, 'draft');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rules \([0-9a-f]{16}\) → draft \([0-9a-f]{16}\)$/m);
    expect(stdout).toMatch(
      /^4 recorded checks, 2026-11-20 to 2026-11-20: 0 good, 0 bad, 4 unlabelled; 1 of these were blocked then and have no outcome$/m,
    );
    expect(stdout).toMatch(/^unlabelled +4 +0 +2 +2$/m);
    expect(stdout).toMatch(/^blocked +0\.0 % \(0\.0 to 49\.0\) +50\.0 % \(15\.0 to 85\.0\)$/m);
    expect(stdout).toMatch(/^ALLOW → BLOCK: 2 \(0 good, 0 bad, 2 unlabelled\)$/m);
    expect(stdout).toMatch(/^ +2 × BLOCK from 30, not 70 +\(0 good, 0 bad, 2 unlabelled\)$/m);
    expect(stdout).toMatch(/^ +chk_\d +2026-\S+ +shop\.example +score 30 → 30$/m);
    expect(stdout).toMatch(
      /^ +rule +tld_high_risk +domain +\+30 +domain\.tld_risk_level=high, relay\.is_relay=false$/m,
    );
    expect(stdout).toMatch(/^ +action +block_high_score .* threshold\.block_score=30$/m);
    expect(stdout).toMatch(/^BLOCK → ALLOW: none$/m);
    expect(stdout).toMatch(/^tld_high_risk +30 +50\.0 % +– +– +0 +2 +2 +0$/m);
    expect(stdout).toMatch(/^never fired: .*\bdisposable\b/m);
    expect(stdout).toMatch(/^30 to 39 +2 +█+ +2 +█+$/m);
    expect(stdout).toContain('postern labels import');
  });

  it('prints the same JSON, byte for byte, each time', async () => {
    const world = await aWorldWith([RISKY_TLD, QUIET], lower);
    const one = await backtest(world, 'draft', '--json');
    expect((await backtest(world, 'draft', '--json')).stdout).toBe(one.stdout);
    expect(one.json()).toMatchObject({
      rule_sets: { base: { directory: 'rules' }, candidate: { directory: 'draft' } },
      source: { kind: 'recorded', first: '2026-11-20T10:00:00.000Z', last: '2026-11-20T10:00:00.000Z' },
      cases: { total: 2, unlabelled: 2, censored: 0, replayed: { same: 0, differing: 0 } },
      flips: { to_block: { counts: { unlabelled: 1 } }, to_allow: { counts: { unlabelled: 0 }, groups: [] } },
      policies: [],
    });
  });

  it('exits with 1 when a condition of --fail-on holds, and names it', async () => {
    const world = await aWorldWith([RISKY_TLD, QUIET], lower);
    const breached = await backtest(world, 'draft', '--fail-on', 'flips > 0', '--fail-on', 'cases < 1');
    expect(breached.code).toBe(1);
    expect(breached.stdout).toMatch(/^--fail-on flips > 0: breached, it is 1$/m);
    expect(breached.stdout).toMatch(/^--fail-on cases < 1: not so, it is 2$/m);
    expect((await backtest(world, 'draft', '--fail-on', 'flips > 1')).code).toBe(0);
    const json = await backtest(world, 'draft', '--json', '--fail-on', 'flips > 0');
    expect(json.code).toBe(1);
    expect(json.json().policies).toEqual([{ policy: 'flips > 0', measured: 1, is_breached: true }]);
  });

  it('prints what docs/cli.md shows', async () => {
    const world = await aWorldWith(
      Array.from({ length: 2_400 }, (_, index) => ({
        id: `chk_01M7ZT70DQ12C0GP1BEMKN${1000 + index}`,
        created_at: new Date(Date.UTC(2026, 10, 14) + index * 250_000).toISOString(),
        ...(index % 25 === 7 ? { ...MADE_UP, domain: `firm-${index % 50}.example.com` } : QUIET),
        ...(index % 15 === 4 && { action: 'BLOCK' }),
      })),
      (decision) => decision.replace(BLOCK_FROM, 'block_score: { value: 40'),
    );
    const { code, stdout } = await backtest(world, 'draft', '--fail-on', 'flips > 100');
    expect(code).toBe(0);
    expectSample("rules backtest draft --fail-on 'flips > 100'", stdout);
  });

  it('cannot guard what no labelled case decides', async () => {
    const world = await aWorldWith([RISKY_TLD], lower);
    const { code, stderr } = await backtest(world, 'draft', '--fail-on', 'false_positives > 0');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /no labelled case tells: false_positives > 0; postern labels import brings labels/,
    );
  });

  it('uses only the checks that are chosen', async () => {
    const world = await aWorldWith(
      [
        { ...RISKY_TLD, created_at: '2026-10-01T00:00:00.000Z' },
        { ...RISKY_TLD, created_at: '2026-11-01T00:00:00.000Z' },
        { ...RISKY_TLD, created_at: '2026-11-02T00:00:00.000Z', account_id: 'acc_2' },
        { ...RISKY_TLD, environment: 'test' },
      ],
      lower,
    );
    const total = async (...rest: string[]) =>
      (await backtest(world, 'draft', '--json', ...rest)).json().cases.total;
    expect(await total()).toBe(3);
    expect(await total('--since', '2026-11-01')).toBe(2);
    expect(await total('--since', '2026-11-01', '--until', '2026-11-01T01:00:01+01:00')).toBe(1);
    expect(await total('--until', '2026-11-02T00:00:00Z')).toBe(2);
    expect(await total('--account', 'acc_2')).toBe(1);
    expect(await total('--account', 'name of acc_2')).toBe(1);
    expect(await backtest(world, 'draft', '--account', 'acc_3', '--fail-on', 'flips > 0')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'postern: there is no account "acc_3" (postern accounts list)\n',
    });
    const none = await backtest(world, 'draft', '--since', '2030-01-01');
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(/no recorded check to judge by: --since, --until and --account choose them/);
    const backwards = await backtest(world, 'draft', '--since', '2026-11-02', '--until', '2026-11-01');
    expect(backwards).toMatchObject({
      code: 2,
      stderr: 'postern: --since is not before --until: no check lies between\n',
    });
  });

  it('says what a replay of recorded facts cannot show', async () => {
    const world = await aWorldWith([OLD], lower);
    world.write('draft/deny.yaml', '- { value: bad.example, reason: Abuse., owner: risk }\n');
    const { stdout } = await backtest(world, 'draft');
    expect(stdout).toMatch(
      /^note: deny\.yaml differs: facts that were recorded were made by the one in force/m,
    );
    expect(stdout).toMatch(
      /^note: 1 record does not have disposable\.basis, domain\.has_mx, .*, velocity\.spellings_24h: unknown there$/m,
    );
  });

  it('lists facts that the same number of records lack in one note', async () => {
    const older = { facts: { 'domain.tld_risk_level': 'high', 'domain.has_mx': true } };
    const world = await aWorldWith([older, OLD, OLD], lower);
    const { caveats } = (await backtest(world, 'draft', '--json')).json();
    expect(caveats).toEqual([
      expect.stringMatching(/^3 records do not have disposable\.basis, domain\.is_catch_all, /),
      '2 records do not have domain.has_mx: unknown there',
    ]);
  });

  it('says that a rule that starts later is not in the figures', async () => {
    const world = await aWorldWith([RISKY_TLD], lower);
    const draft = world.read('draft/domain.yaml');
    world.write('draft/domain.yaml', draft.replace(/^( +)mode: live$/m, '$&\n$1starts: 2999-01-01'));
    const { caveats } = (await backtest(world, 'draft', '--json')).json();
    expect(caveats).toContainEqual(
      expect.stringMatching(
        /^\w+ does not act before 2999-01-01 00:00 UTC and is not in these figures; without its "starts" it would be$/,
      ),
    );
  });

  it('reports checks that the same rules decide differently now', async () => {
    const world = await aWorldWith([RISKY_TLD], lower);
    const { ruleset } = (await backtest(world, 'draft', '--json')).json().rule_sets.base;
    const storage = await openSqliteStorage({
      file: join(world.cwd, 'data/postern.db'),
      durability: 'commit',
    });
    await storage.checks.append(checkOf('chk_altered', { ...RISKY_TLD, ruleset, risk_score: 99 }));
    await storage.checks.append(
      checkOf('chk_true', { ...RISKY_TLD, ruleset, risk_score: 30, risk_level: 'medium' }),
    );
    await storage.close();
    const { json, stdout } = await backtest(world, 'draft', '--json');
    expect(json().cases.replayed).toEqual({ same: 1, differing: 1 });
    expect(stdout).toContain('of 2 checks that these very rules had decided, 1 come out otherwise now');
  });

  it('names the check whose facts cannot be read', async () => {
    const world = await aWorldWith([RISKY_TLD], lower);
    const database = new DatabaseSync(join(world.cwd, 'data/postern.db'));
    database.exec(`UPDATE checks SET facts = '{"a":'`);
    database.close();
    const { code, stderr } = await backtest(world, 'draft');
    expect(code).toBe(2);
    expect(stderr).toMatch(/the facts of the check chk_0 cannot be read/);
  });

  it('lists every error of either directory', async () => {
    const world = await aWorldWith([RISKY_TLD], (decision) =>
      decision.replace('greaterThanInclusive', 'greaterOr'),
    );
    const { code, stderr } = await backtest(world, 'draft');
    expect(code).toBe(2);
    expect(stderr).toMatch(/the rules in draft have errors:\ndraft\/decision\.yaml:\d+:\d+/);
    expect((await backtest(world, 'nowhere')).stderr).toMatch(
      /rules directory .*nowhere: cannot be read: there is none \(ENOENT\)/,
    );
  });

  it('needs a database', async () => {
    const { code, stderr } = await backtest(aWorld(), 'rules');
    expect(code).toBe(2);
    expect(stderr).toMatch(/there is no database at/);
  });

  it('refuses options without effect', async () => {
    const world = aWorld();
    for (const [option, value, complaint] of [
      ['--since', 'yesterday', 'It is a day, 2026-11-01'],
      ['--since', '2026-02-30', 'It is a day, 2026-11-01'],
      ['--until', '2026-13-01', 'It is a day, 2026-11-01'],
      ['--cost-ratio', '0', 'It is a number above 0'],
      ['--examples', '0', 'It is a number from 1 to 999'],
      ['--fail-on', 'flip > 0', 'did you mean flips?'],
    ] as const) {
      const { code, stderr } = await backtest(world, 'rules', option, value);
      expect([code, stderr]).toEqual([2, expect.stringContaining(complaint)]);
    }
  });

  it.each(['--columns=x', '--format=csv', '--good=x', '--bad=x', '--live'])(
    'refuses %s without --file',
    async (option) => {
      const { code, stdout, stderr } = await backtest(aWorld(), 'rules', option);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`error: ${option.split('=')[0]} goes with --file`);
    },
  );

  it('prints Markdown for a pull request in place of the screen, and guards as well', async () => {
    const world = await aWorldWith([RISKY_TLD, QUIET], lower);
    const argv = ['draft', '--format', 'markdown', '--fail-on', 'flips > 0'];
    const { code, stdout, stderr } = await backtest(world, ...argv);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^## Backtest: rules → draft$/m);
    expect(stdout).toMatch(/^\| BLOCK from 30, not 70 \| 1 \| 0 \| 0 \| 1 \|$/m);
    expect(stdout).toMatch(/^\| chk_0 \| 2026-\S+ \| shop\.example \| {2}\| 30 → 30 \|/m);
    expect(stdout).toMatch(/^- ❌ --fail-on flips \\> 0: breached, it is 1$/m);
    expect((await backtest(world, ...argv)).stdout).toBe(stdout);
  });

  it('refuses two formats of the report, and a format that does not exist, each with a valid form', async () => {
    for (const [argv, complaint] of [
      [['--format', 'markdown', '--json'], "'--format markdown' cannot be used with option '--json'"],
      [['--format', 'html'], 'Allowed choices are csv, jsonl, markdown.'],
    ] as const) {
      const { code, stdout, stderr } = await backtest(aWorld(), 'rules', ...argv);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(complaint)]);
    }
  });

  describe('of a file', () => {
    const SIGNUPS = `email,label
jane@example.org,good
shop@gmail.com,good
x@mailinator.com,bad
y@mailinator.com,fraud
nobody,bad
z@example.net,
`;

    it('uses the labelled signups of a file, and leaves out with a reason what it cannot read', async () => {
      const world = await aWorldWith([], lower);
      world.write('signups.csv', SIGNUPS);
      const { code, stdout } = await backtest(world, 'draft', '--file', 'signups.csv');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^4 rows of signups\.csv: 2 good, 1 bad, 1 unlabelled$/m);
      expect(stdout).toMatch(/^bad +0 +1 +0 +1$/m);
      expect(stdout).toMatch(/^bad that are blocked \(recall\) +100\.0 % \(20\.6 to 100\.0\)/m);
      expect(stdout).toMatch(
        /^note: left out: signups\.csv:5 "fraud" is neither good nor bad: --good fraud or --bad fraud/m,
      );
      expect(stdout).toMatch(/^note: left out: signups\.csv:6 it is no address/m);
      expect(stdout).toMatch(
        /^If a good signup turned away costs as much as one bad one let in, the best threshold/m,
      );
      const told = await backtest(
        world,
        'draft',
        '--file',
        'signups.csv',
        '--bad',
        'fraud,chargeback',
        '--json',
      );
      expect(told.json().cases).toMatchObject({ total: 5, good: 2, bad: 2, unlabelled: 1 });
    });

    it('accepts the format of the file beside that of the report', async () => {
      const world = await aWorldWith([], lower);
      world.write('signups.txt', SIGNUPS);
      const argv = ['draft', '--file', 'signups.txt', '--format', 'csv', '--format', 'markdown'];
      const { code, stdout } = await backtest(world, ...argv);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^4 rows of signups\.txt: 2 good, 1 bad, 1 unlabelled$/m);
      expect(stdout).toMatch(/^- \*\*note:\*\* left out: signups\.txt:5 "fraud" is neither good nor bad/m);
      expect(stdout).not.toMatch(/jane|nobody/);
    });

    it('shows the effect of other lists and thresholds of signals, which a replay cannot', async () => {
      const world = await aWorldWith([], lower);
      world.write('draft/deny.yaml', '- { value: example.org, reason: Abuse., owner: risk }\n');
      world.write('signups.jsonl', '{"email":"jane@example.org","label":"good"}\n');
      const { code, stdout } = await backtest(
        world,
        'draft',
        '--file',
        'signups.jsonl',
        '--fail-on',
        'false_positives > 0',
      );
      expect(code).toBe(1);
      expect(stdout).toMatch(/^ +1 × \+deny_list.* \(1 good, 0 bad, 0 unlabelled\)$/m);
      expect(stdout).toMatch(/^ +signups\.jsonl:1 +example\.org +good +score 0 → 80$/m);
      expect(stdout).not.toContain('note:');
      expect(stdout).toMatch(/^--fail-on false_positives > 0: breached, it is 1$/m);
    });

    it('does not pass the guard with rows that it could not read', async () => {
      const world = await aWorldWith([], lower);
      world.write('signups.csv', 'email,label\njane@example.org,good\njohn@example.org,legit\n');
      const argv = ['draft', '--file', 'signups.csv', '--fail-on', 'false_positives > 0'];
      const { code, stderr } = await backtest(world, ...argv);
      expect([code, stderr]).toEqual([2, expect.stringContaining('--fail-on: 1 row left out')]);
      expect((await backtest(world, ...argv, '--good', 'legit')).code).toBe(0);
    });

    it('says that given facts do not show other thresholds of signals', async () => {
      const world = await aWorldWith([], lower);
      world.write('draft/deny.yaml', '- { value: example.org, reason: Abuse., owner: risk }\n');
      world.write('facts.jsonl', '{"facts":{"domain.tld_risk_level":"high"},"label":"bad"}\n');
      const { stdout } = await backtest(world, 'draft', '--file', 'facts.jsonl');
      expect(stdout).toMatch(
        /^note: deny\.yaml differs: facts that were recorded were made by the one in force/m,
      );
    });

    it('uses given facts as they are', async () => {
      const world = await aWorldWith([], lower);
      const rows = [
        { facts: { 'domain.tld_risk_level': 'high' }, label: 'bad', id: 'one' },
        { facts: { 'domain.tld_risk_level': 'very' }, label: 'bad' },
      ];
      world.write('facts.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      const { json } = await backtest(world, 'draft', '--file', 'facts.jsonl', '--json');
      expect(json().cases).toMatchObject({ total: 1, bad: 1 });
      expect(json().flips.to_block.groups[0].examples[0]).toMatchObject({ id: 'one', label: 'bad' });
      expect(json().caveats[0]).toMatch(/facts\.jsonl:2 domain\.tld_risk_level is one of/);
    });

    it('needs rows and a format, and refuses a choice of recorded checks', async () => {
      const world = await aWorldWith([], lower);
      world.write('signups.txt', SIGNUPS);
      world.write('empty.csv', 'email,label\n');
      for (const [argv, complaint] of [
        [['--file', 'signups.txt'], '--format csv or --format jsonl says what it is'],
        [['--file', 'empty.csv'], 'empty.csv has no row to judge by'],
        [['--file', 'none.csv'], 'none.csv cannot be read'],
        [['--file', 'empty.csv', '--since', '2026-11-01'], "option '--since <time>' cannot be used with"],
      ] as const) {
        const { code, stderr } = await backtest(world, 'draft', ...argv);
        expect([code, stderr]).toEqual([2, expect.stringContaining(complaint)]);
      }
    });
  });
});
