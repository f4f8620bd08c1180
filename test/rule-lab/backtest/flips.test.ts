import { describe, expect, it } from 'vitest';
import { reasonsOf } from '../../../src/rule-lab/backtest/flips.ts';
import type { BacktestReport } from '../../../src/rule-lab/backtest/run-backtest.ts';
import type { Facts } from '../../../src/rules/decision.ts';
import { bucketsInside, ROLLOUT_BUCKET } from '../../../src/rules/rollout.ts';
import type { RuleSet } from '../../../src/rules/rule-set.ts';
import { compile, DECISION, group, is, points, when } from '../../rules/rules-directory.ts';
import { backtest, caseOf } from './cases.ts';

const rule = (fact: string, worth: number, more = '') => `${when(is(fact, true))}, ${points(worth)}${more}`;
const THROW_AWAY = 'domain.is_known_disposable';
const FREE = 'domain.is_known_free_provider';
const ROLE = 'domain.is_role_account';

interface Changes {
  readonly rules?: Readonly<Record<string, string>>;
  readonly cap?: number;
  readonly from?: number;
  /** Forces BLOCK where it is true. */
  readonly forcedBy?: string;
}

/** Three rules whose points add up to 75 of 100, and BLOCK from 70. */
const RULES = { free: rule(FREE, 25), role: rule(ROLE, 10), throw_away: rule(THROW_AWAY, 40) };

function rulesWith({ rules = RULES, cap = 100, from = 70, forcedBy }: Changes = {}): RuleSet {
  const forced =
    forcedBy &&
    `forced:\n  - { id: forced, description: Forced., ${when(is(forcedBy, true))}, event: { type: force, params: { action: BLOCK } } }\n`;
  return compile({
    'decision.yaml': `${DECISION.replace(/(id: block\n[^\n]*\n.*value: )70/, `$1${from}`)}${forced ?? ''}`,
    'a.yaml': group('a', rules, cap),
  });
}

async function reasons(
  direction: keyof BacktestReport['flips'],
  [base, candidate]: readonly [Changes, Changes],
  ...facts: readonly Facts[]
): Promise<readonly (readonly [number, ...string[]])[]> {
  const ruleSets = { base: rulesWith(base), candidate: rulesWith(candidate) };
  const cases = facts.map((each, index) => caseOf(`chk_${index}`, each));
  const found = reasonsOf(await backtest(ruleSets, cases), direction);
  return found.map(({ parts, counts }) => [counts.unlabelled, ...parts]);
}

const BOTH = { [THROW_AWAY]: true, [FREE]: true };
const ALL = { ...BOTH, [ROLE]: true };

describe('reasonsOf', () => {
  it('names added rules', async () => {
    const more = { ...RULES, valid: rule('syntax.valid_format', 5) };
    expect(await reasons('to_block', [{}, { rules: more }], BOTH)).toEqual([[1, '+valid']]);
  });

  it('names removed rules, also as the reason why a signup is allowed', async () => {
    const { free, throw_away } = RULES;
    expect(await reasons('to_allow', [{}, { rules: { free, throw_away } }], ALL)).toEqual([[1, '−role']]);
  });

  it('names changed points, and the threshold only where the old one would not have led to the flip', async () => {
    const heavier = { ...RULES, free: rule(FREE, 35) };
    const changes = [{}, { rules: heavier, from: 65 }] as const;
    expect(await reasons('to_block', changes, BOTH)).toEqual([[1, 'free +25 → +35']]);
    const light = [{}, { rules: { ...RULES, free: rule(FREE, 27) }, from: 66 }] as const;
    expect(await reasons('to_block', light, BOTH)).toEqual([[1, 'free +25 → +27', 'BLOCK from 66, not 70']]);
  });

  it.each([
    ['to_block', 70, 60],
    ['to_allow', 60, 70],
  ] as const)(
    'names the threshold alone where nothing else changed: %s',
    async (direction, before, after) => {
      expect(await reasons(direction, [{ from: before }, { from: after }], BOTH)).toEqual([
        [1, `BLOCK from ${after}, not ${before}`],
      ]);
    },
  );

  it('names a changed cap where the rules and their points are the same', async () => {
    expect(await reasons('to_block', [{ cap: 60 }, { cap: 100 }], ALL)).toEqual([[1, 'cap of a −15 → 0']]);
  });

  it('names a changed absorption where the rules and their points are the same', async () => {
    const composite = { ...RULES, throw_away: rule(THROW_AWAY, 40, ', absorbs: [free]') };
    expect(await reasons('to_block', [{ rules: composite }, {}], ALL)).toEqual([
      [1, 'free absorbed by throw_away −25 → 0'],
    ]);
  });

  it('groups combinations that flip for one reason, the most frequent reason first', async () => {
    const more = { ...RULES, valid: rule('syntax.valid_format', 5), role: rule(ROLE, 30) };
    const changes = [{}, { rules: more, from: 60 }] as const;
    const pair = { [THROW_AWAY]: true, [ROLE]: true };
    expect(await reasons('to_block', changes, pair, BOTH, { ...BOTH, 'lists.denied': true }, BOTH)).toEqual([
      [3, '+valid'],
      [1, '+valid', 'role +10 → +30'],
    ]);
  });

  describe('of a rule that is rolled out', () => {
    // The person with the highest bucket inside at 60 %.
    const bucket = bucketsInside({ percent: 60, salt: 'valid' }).at(-1) ?? null;
    const someone = { ...BOTH, [ROLLOUT_BUCKET]: bucket };
    const mode = (word: string) => ({
      ...RULES,
      valid: rule('syntax.valid_format', 5).replace('live', word),
    });
    const to = (percent: number) => mode(`live, rollout: { percent: ${percent} }`);
    it.each([
      ['counts for more people', to(40), to(60), '40 % → 60 %', '60 % → 40 %'],
      ['counts for everyone', to(40), mode('live'), '40 % → everyone', 'everyone → 40 %'],
      ['was in shadow', mode('shadow'), to(60), '60 %', '60 %'],
      ['is new', RULES, to(60), '60 %', '60 %'],
    ])('give the percentages, where it %s', async (_, before, after, people, back) => {
      const [then, now] = [{ rules: before }, { rules: after }];
      expect(await reasons('to_block', [then, now], someone)).toEqual([[1, `+valid (${people})`]]);
      expect(await reasons('to_allow', [now, then], someone)).toEqual([[1, `−valid (${back})`]]);
    });
  });

  it('names no threshold for a forced action', async () => {
    const changes = [{}, { forcedBy: FREE, from: 55 }] as const;
    expect(await reasons('to_block', changes, { [FREE]: true })).toEqual([[1, '+forced']]);
  });

  it('names the kinds of change in general where there are no examples', async () => {
    const ruleSets = { base: rulesWith({ cap: 60 }), candidate: rulesWith({ cap: 100 }) };
    const findings = await backtest(ruleSets, [caseOf('chk_0', ALL)], { examples: 0 });
    const [reason] = reasonsOf(findings, 'to_block');
    expect(reason?.parts).toEqual(['the same rules, with other points, caps or thresholds']);
  });
});
