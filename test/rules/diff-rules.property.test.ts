import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../../src/rules/compile.ts';
import type { Detail } from '../../src/rules/diff-conditions.ts';
import { diffRules } from '../../src/rules/diff-rules.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { OPERATORS, type Operator } from '../../src/rules/operators.ts';
import { times } from '../support/times.ts';
import { catalogue } from './catalogue.ts';
import { filesOf, type RandomRules, countingRules as rules, withNames } from './random-rules.ts';
import { directory, NOW } from './rules-directory.ts';

/** The same cases on every run; a failure prints its own. */
const RUNS = { numRuns: times(80), seed: 20261121 };

function read(random: RandomRules, order?: Parameters<typeof filesOf>[1]) {
  const { definitions } = lintRules(directory(filesOf(random, order)), catalogue, {
    now: NOW,
    onlyErrors: true,
  });
  if (!definitions) throw new Error('random rules pass lint');
  return { definitions, hash: compileRuleSet(definitions, NOW).hash };
}

/** One random set with some groups and decisions of another, so that they share many parts. */
const pairs = fc
  .tuple(rules, rules, fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()))
  .map(([one, other, [first, second, decision]]): [RandomRules, RandomRules] => [
    one,
    {
      decision: decision ? one.decision : other.decision,
      groups: [
        first ? one.groups[0] : other.groups[0],
        second ? one.groups[1] : other.groups[1],
      ] as RandomRules['groups'],
    },
  ]);

type Json = Readonly<Record<string, unknown>>;

/** The condition of a rule file in a normal form: `not` resolved, parts and words sorted. */
function spell(condition: Json, isNegated = false): string {
  if ('not' in condition) return spell(condition.not as Json, !isNegated);
  if ('fact' in condition) {
    const { fact, operator, value } = condition as { fact: string; operator: Operator; value: unknown };
    const words = Array.isArray(value) ? `[${value.toSorted().join(', ')}]` : value;
    const right = typeof words === 'object' ? (words as { fact: string }).fact : String(words);
    return `${fact} ${isNegated ? OPERATORS[operator].opposite : operator} ${right}`;
  }
  const { word, parts } = spellParts(condition, isNegated);
  return `${word}(${parts.join('; ')})`;
}

function spellParts(condition: Json, isNegated = false): { word: string; parts: readonly string[] } {
  if ('not' in condition) return spellParts(condition.not as Json, !isNegated);
  if ('fact' in condition) return { word: '', parts: [spell(condition, isNegated)] };
  const counting = condition.at_least as { count: number; of: readonly Json[] } | undefined;
  const parts = (condition.all ?? condition.any ?? counting?.of) as readonly Json[];
  const [all, any] = [parts.length, 1];
  const count = counting?.count ?? ('all' in condition ? all : any);
  const needed = isNegated ? parts.length - count + 1 : count;
  // For a single part, all and any are the same: the word is kept.
  const isAll = counting ? needed === all && needed !== any : 'all' in condition !== isNegated;
  const word = isAll ? 'all' : needed === any ? 'any' : `at_least ${needed}`;
  return { word, parts: parts.map((part) => spell(part, isNegated)).sort() };
}

/** The result of applying the lines of the difference to the first condition. */
function applied(first: Json, detail: Detail | undefined): string {
  const [gone, come] = [detail?.before ?? [], detail?.after ?? []] as string[][];
  const { word, parts } = spellParts(first);
  if (!detail) return spell(first);
  if (gone?.[0] === spell(first) && come?.length === 1 && gone.length === 1) return come[0] ?? '';
  const left = [...parts];
  for (const text of gone ?? []) {
    expect(left).toContain(text);
    left.splice(left.indexOf(text), 1);
  }
  return `${word}(${[...left, ...(come ?? [])].sort().join('; ')})`;
}

/** Every rule with its condition, by id. */
function conditionsOf({ decision, groups }: RandomRules): ReadonlyMap<string, Json> {
  const { levels, actions, forced } = decision as Record<string, readonly Json[]>;
  const all = [levels, actions, forced, ...groups.map((one) => one.rules)].flat() as readonly Json[];
  return new Map(all.map(({ id, conditions }) => [String(id), conditions as Json]));
}

describe('the difference of any two rules directories', () => {
  it('decides exactly where the hash differs', () => {
    let different = 0;
    fc.assert(
      // Both sides have the same number of names: in two similar sets, most names exist in both with another definition.
      fc.property(pairs, fc.constantFrom(0, 0, 1, 3), ([one, other], every) => {
        const named = (random: RandomRules) => (every === 0 ? random : withNames(random, every));
        const [before, after] = [read(named(one)), read(named(other))];
        const changes = diffRules(before.definitions, after.definitions, NOW);
        const isDifferent = before.hash !== after.hash;
        expect(changes.some(({ decides }) => decides)).toBe(isDifferent);
        if (isDifferent) different += 1;
      }),
      RUNS,
    );
    expect(different).toBeGreaterThan(RUNS.numRuns / 3);
    expect(different).toBeLessThan(RUNS.numRuns);
  });

  it('shows for each rule every change from one condition to the other', () => {
    let told = 0;
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        const changes = diffRules(read(one).definitions, read(other).definitions, NOW);
        const [olds, news] = [conditionsOf(one), conditionsOf(other)];
        for (const [id, condition] of news) {
          const old = olds.get(id);
          const found = changes.find((change) => change.id === id && change.subject !== 'threshold');
          const detail = found?.details.find(({ what }) => what === 'condition');
          if (old) expect(applied(old, detail)).toBe(spell(condition));
          else if (found?.change === 'added') expect(detail?.after).toEqual([spell(condition)]);
          if (old && detail) told += 1;
        }
      }),
      RUNS,
    );
    expect(told).toBeGreaterThan(100);
  });

  it.each([
    ['all', 'any'],
    ['any', 'all'],
  ])('shows both the combiner, %s or %s, and the number, beside any other change', (word, then) => {
    fc.assert(
      fc.property(rules, fc.integer({ min: 0, max: 3 }), (random, bound) => {
        const [group, ...groups] = random.groups;
        const [first] = (group?.rules ?? []) as readonly Json[];
        if (!first) return;
        const number = (value: number) => ({ fact: 'syntax.fault_count', operator: 'greaterThan', value });
        const within = (outer: string, value: number): RandomRules => {
          const rule = { ...first, conditions: { [outer]: [number(value), first.conditions] } };
          return { ...random, groups: [{ ...group, rules: [rule] }, ...groups] };
        };
        const [one, other] = [within(word, bound), within(then, bound + 1)];
        const changes = diffRules(read(one).definitions, read(other).definitions, NOW);
        const text = JSON.stringify(changes);
        expect(text).toContain(`${word}(`);
        expect(text).toContain(`${then}(`);
        expect(text).toMatch(new RegExp(`greaterThan ${bound}[;)].*greaterThan ${bound + 1}[;)]`));
      }),
      { ...RUNS, numRuns: times(25) },
    );
  });

  it('is empty where only the order differs', () => {
    fc.assert(
      fc.property(rules, fc.infiniteStream(fc.nat()), (random, dice) => {
        const order = (list: readonly unknown[]) =>
          list
            .map((item) => ({ item, at: dice.next().value ?? 0 }))
            .sort((a, b) => a.at - b.at)
            .map(({ item }) => item);
        expect(diffRules(read(random).definitions, read(random, order).definitions, NOW)).toEqual([]);
      }),
      { ...RUNS, numRuns: times(25) },
    );
  });
});
