import { describe, expect, it } from 'vitest';
import type { NewCheck } from '../../src/storage/ports.ts';
import { ORDINARY } from './ordinary-facts.ts';
import { aWorldWith } from './recorded-world.ts';
import type { World } from './world.ts';

const RULE_FILES = ['decision', 'address', 'domain', 'velocity', 'signals', 'allow', 'deny'];
const FACT = 'typo.suggestion';
const OF_FACT = `{ fact: ${FACT}, operator: notEqual, value: none }`;

const aRule = (condition: string, mode = 'live') => `group: trial
description: What is tried.
max_score: 100
rules:
  - id: meant_another
    description: Another domain was meant.
    owner: risk
    mode: ${mode}
    conditions: ${condition}
    event: { type: points, params: { points: 100 } }
`;

type Given = Pick<NewCheck, 'facts' | 'unknown'>;

const { [FACT]: _suggestion, ...WITHOUT } = ORDINARY;
const whole: Given = { facts: ORDINARY, unknown: '{}' };
const absent: Given = { facts: WITHOUT, unknown: '{}' };
const withheld: Given = { facts: { ...ORDINARY, [FACT]: null }, unknown: `{"${FACT}":"not_stored"}` };
const renamed: Given = { facts: { ...WITHOUT, 'typo.meant': 'none' }, unknown: '{}' };
const retyped: Given = { facts: { ...ORDINARY, [FACT]: 3 }, unknown: '{}' };
const reworded: Given = { facts: { ...ORDINARY, [FACT]: 'a_word_of_before' }, unknown: '{}' };
const failed: Given = { facts: { ...ORDINARY, [FACT]: null }, unknown: `{"${FACT}":"error"}` };

/** The shipped rules, and beside them a draft with one additional rule. */
async function aDraft(checks: readonly Given[], rule: string): Promise<World> {
  const world = await aWorldWith(...checks.map((given, index) => ({ id: `chk_${index}`, ...given })));
  for (const name of RULE_FILES) world.write(`draft/${name}.yaml`, world.read(`rules/${name}.yaml`));
  world.write('draft/trial.yaml', rule);
  return world;
}

const backtest = (world: World, ...rest: readonly string[]) =>
  world.postern(['rules', 'backtest', 'draft', ...rest]);
const GUARD = ['--fail-on', 'flips > 0'];

describe.each([
  ['is not stored', withheld],
  ['was declared later', absent],
  ['had another name', renamed],
  ['was of another type', retyped],
  ['had a word that it cannot be any more', reworded],
])('a rule on a fact that %s', (_how, given) => {
  it.each([
    [[given, given, given], 3],
    [[whole, given, whole, given], 2],
    [[given, failed], 1],
  ])(
    'could not be judged, which is stated before any figure, and counts in none of them',
    async (checks, count) => {
      const world = await aDraft(checks, aRule(`{ all: [${OF_FACT}] }`));
      const line = `meant_another could not be judged in ${count} of ${checks.length} checks: their records do not have ${FACT}`;
      const screen = await backtest(world, ...GUARD);
      expect(screen.code).toBe(2);
      expect(screen.stderr).toContain(`--fail-on: rules could not be judged`);
      expect(screen.stderr).toContain(line);
      expect(screen.stdout.split('\n\n')[1]).toBe(line);
      expect(screen.stdout).not.toMatch(/^never fired: .*meant_another/m);
      expect(screen.stdout).toMatch(/^--fail-on flips > 0: cannot be told, .*; it is 0 without them$/m);

      const markdown = await backtest(world, '--format', 'markdown', ...GUARD);
      expect(markdown.code).toBe(2);
      const text = markdown.stdout.replaceAll('\\', '');
      expect(text.indexOf(`> [!CAUTION]\n> **${line}**`)).toBeGreaterThan(0);
      expect(text.indexOf(line)).toBeLessThan(text.indexOf('### Decisions'));

      const machine = await backtest(world, '--json', ...GUARD);
      expect(machine.code).toBe(2);
      const { unjudged, rules, policies } = machine.json();
      expect(unjudged).toEqual([line]);
      const { candidate } = rules.find(({ id }: { id: string }) => id === 'meant_another');
      expect(candidate.unjudged).toBe(count);
      expect(candidate.fires).toMatchObject({ count: 0, of: checks.length - count });
      expect(policies).toEqual([{ policy: 'flips > 0', measured: 0, is_breached: null }]);
    },
  );

  it('is judged where another fact decides the condition', async () => {
    const settled = [
      `{ all: [${OF_FACT}, { fact: domain.has_mx, operator: equal, value: false }] }`,
      `{ any: [${OF_FACT}, { fact: domain.has_mx, operator: equal, value: true }] }`,
    ];
    for (const condition of settled) {
      const { code, json } = await backtest(await aDraft([given], aRule(condition)), '--json');
      expect(code).toBe(0);
      expect(json().unjudged).toEqual([]);
    }
  });

  it('lets a guard pass where the rule gives no points', async () => {
    const world = await aDraft([given], aRule(`{ all: [${OF_FACT}] }`, 'shadow'));
    const { code, stdout } = await backtest(world, ...GUARD);
    expect(code).toBe(0);
    expect(stdout).toContain('meant_another could not be judged in 1 of 1 checks');
  });

  it('could not be judged where it sets the action either', async () => {
    const world = await aDraft(
      [given, given],
      aRule('{ all: [{ fact: domain.has_mx, operator: equal, value: false }] }'),
    );
    const action = `  - { id: block_other, description: Another was meant., owner: risk, conditions: { all: [${OF_FACT}] }, event: { type: action, params: { action: BLOCK } } }`;
    world.write(
      'draft/decision.yaml',
      world.read('draft/decision.yaml').replace(/^actions:.*$/m, `$&\n${action}`),
    );
    const screen = await backtest(world, ...GUARD);
    expect(screen.code).toBe(2);
    expect(screen.stdout).toContain(
      `block_other could not be judged in 2 of 2 checks: their records do not have ${FACT}`,
    );
  });

  it('is reported by rules diff too', async () => {
    const world = await aDraft([given], aRule(`{ all: [${OF_FACT}] }`));
    const { stdout } = await world.postern(['rules', 'diff', 'draft']);
    expect(stdout).toContain('meant_another could not be judged in 1 of 1 checks');
  });

  it('is reported by rules explain of a record', async () => {
    const world = await aDraft([given], aRule(`{ all: [${OF_FACT}] }`));
    const argv = ['rules', 'explain', 'chk_0', '--dir', 'draft'];
    const { stdout } = await world.postern(argv);
    expect(stdout).toContain(`could not be judged: meant_another; the record does not have ${FACT}`);
    expect((await world.postern([...argv, '--json'])).json().unjudged).toEqual(['meant_another']);
  });

  it('could not be judged from a record in a file either', async () => {
    const world = await aDraft([given], aRule(`{ all: [${OF_FACT}] }`));
    const { facts, unknown } = given;
    // A row with a value that the fact cannot have is refused.
    const known = Object.entries(facts).filter(([id, value]) => value === null || ORDINARY[id] === value);
    const row = { label: 'bad', facts: Object.fromEntries(known), unknown: JSON.parse(unknown) };
    world.write('records.jsonl', `${JSON.stringify(row)}\n`);
    const { code, stdout } = await backtest(world, '--file', 'records.jsonl', ...GUARD);
    expect(code).toBe(2);
    expect(stdout).toContain(`meant_another could not be judged in 1 of 1 rows: these do not have ${FACT}`);
  });
});

it('a fact that a failure left unknown disables its rule in the backtest as it did in the check', async () => {
  const world = await aDraft([failed], aRule(`{ all: [${OF_FACT}] }`));
  const { code, json } = await backtest(world, '--json', ...GUARD);
  expect(code).toBe(0);
  const { candidate } = json().rules.find(({ id }: { id: string }) => id === 'meant_another');
  expect(candidate).toMatchObject({ unjudged: 0, stood_aside: 1 });
});

it('a record in a file may have null for a fact that is never unknown, where its provider failed', async () => {
  const world = await aDraft([failed], aRule(`{ all: [${OF_FACT}] }`));
  const row = { label: 'bad', facts: failed.facts, unknown: JSON.parse(failed.unknown) };
  world.write('records.jsonl', `${JSON.stringify(row)}\n`);
  const { code, json } = await backtest(world, '--file', 'records.jsonl', '--json', ...GUARD);
  expect(code).toBe(0);
  expect(json()).toMatchObject({ cases: { total: 1 }, unjudged: [] });
});

it.each([
  ['without it', absent],
  ['with it, of before', whole],
])(
  'a fact of a provider that is switched off disables its rule in a record %s, as in the service',
  async (_what, given) => {
    const world = await aDraft([given], aRule(`{ all: [${OF_FACT}] }`));
    const { providers } = (await world.postern(['providers', 'list', '--json'])).json();
    const enabled = providers.map(({ id }: { id: string }) => id).filter((id: string) => id !== 'typo');
    const env = { POSTERN__PROVIDERS__ENABLED: JSON.stringify(enabled) };
    const { code, json } = await world.postern(['rules', 'backtest', 'draft', '--json', ...GUARD], { env });
    expect(code).toBe(0);
    expect(json().unjudged).toEqual([]);
    const { candidate } = json().rules.find(({ id }: { id: string }) => id === 'meant_another');
    expect(candidate).toMatchObject({ by_label: { bad: 0, good: 0, unlabelled: 0 }, stood_aside: 1 });
  },
);
