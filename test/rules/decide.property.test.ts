import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, fire } from '../../src/rules/decide.ts';
import { type Decision, LEVELS, type LedgerEntry } from '../../src/rules/decision.ts';
import { quickTally, truthOf } from '../../src/rules/kleene.ts';
import { times } from '../support/times.ts';
import { countingRules, factsAndCompletion, filesOf, sometimesNamed, withNames } from './random-rules.ts';
import { compile } from './rules-directory.ts';

/** The same cases on every run; a failure prints its own. */
const RUNS = { numRuns: times(60), seed: 20261120 };
const rules = sometimesNamed(countingRules);
/** Several addresses for each rule set, because making the files takes most of the time. */
const several = fc.array(factsAndCompletion, { minLength: 8, maxLength: 8 });

const KINDS: readonly LedgerEntry['kind'][] = [
  'force',
  'rule',
  'absorbed',
  'cap',
  'bound',
  'stood_aside',
  'shadow',
  'level',
  'action',
];
const keyOf = (entry: LedgerEntry) =>
  'id' in entry ? (entry.id ?? '') : 'group' in entry ? entry.group : '';

function expectAccount({ score, ledger }: Decision): void {
  expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
  expect(ledger.reduce((sum, { points }) => sum + points, 0)).toBe(score);
  expect(ledger.every(({ points }) => Number.isInteger(points) && !Object.is(points, -0))).toBe(true);
  const order = ledger.map((entry) => `${KINDS.indexOf(entry.kind)} ${keyOf(entry)}`);
  expect(order).toEqual([...order].sort());
}

describe('any rule set that passes lint', () => {
  it('scores from 0 to 100, with a ledger in order whose points sum to the score', async () => {
    await fc.assert(
      fc.asyncProperty(rules, factsAndCompletion, async (random, { open }) => {
        expectAccount(await decide(compile(filesOf(random)), open));
      }),
      RUNS,
    );
  });

  it('never has a higher score or a more severe action for an unknown fact', async () => {
    let rose = 0;
    await fc.assert(
      fc.asyncProperty(rules, several, async (random, cases) => {
        const ruleSet = compile(filesOf(random));
        for (const { open, known } of cases) {
          const without = await decide(ruleSet, open);
          const withAll = await decide(ruleSet, known);
          expect(without.score).toBeLessThanOrEqual(withAll.score);
          expect(LEVELS.indexOf(without.level)).toBeLessThanOrEqual(LEVELS.indexOf(withAll.level));
          if (withAll.action === 'ALLOW') expect(without.action).toBe('ALLOW');
          if (without.score < withAll.score) rose++;
        }
      }),
      RUNS,
    );
    // The property proves something only where unknown facts made a difference.
    expect(rose).toBeGreaterThan(RUNS.numRuns);
  });

  it('decides the same in any order of its files, rules and conditions, with one hash', async () => {
    await fc.assert(
      fc.asyncProperty(
        rules,
        factsAndCompletion,
        fc.infiniteStream(fc.nat()),
        async (random, { open }, dice) => {
          const order = (list: readonly unknown[]) =>
            list
              .map((item) => ({ item, at: dice.next().value ?? 0 }))
              .sort((a, b) => a.at - b.at)
              .map(({ item }) => item);
          const straight = compile(filesOf(random));
          const shuffled = compile(filesOf(random, order));
          expect(shuffled.hash).toBe(straight.hash);
          expect(await decide(shuffled, open)).toEqual(await decide(straight, open));
        },
      ),
      RUNS,
    );
  });

  it('fires in the engine exactly the rules that are true in Kleene logic, and lists the unknown ones as stood aside', async () => {
    await fc.assert(
      fc.asyncProperty(rules, factsAndCompletion, async (random, { open }) => {
        const ruleSet = compile(filesOf(random));
        const facts = { ...open, ...ruleSet.constants };
        const first = [...ruleSet.forces, ...ruleSet.points, ...ruleSet.shadows];
        const truths = new Map(first.map(({ id, condition }) => [id, truthOf(condition, facts)]));
        const isTrue = [...truths].filter(([, truth]) => truth === true).map(([id]) => id);
        expect([...(await fire(first, facts))].map(({ id }) => id).sort()).toEqual(isTrue.sort());
        const { ledger } = await decide(ruleSet, open);
        for (const entry of ledger) {
          if (entry.kind !== 'stood_aside' || !truths.has(entry.id)) continue;
          expect(entry.unknown.length).toBeGreaterThan(0);
          expect(entry.unknown.every((id) => facts[id] === null)).toBe(true);
          expect(truths.get(entry.id)).toBeNull();
        }
      }),
      RUNS,
    );
  });

  it('decides the same for the same facts, whichever parts of its conditions have names', async () => {
    await fc.assert(
      fc.asyncProperty(countingRules, factsAndCompletion, fc.nat(3), async (random, { open }, every) => {
        const named = every === 0 ? random : withNames(random, every);
        const [one, other] = [compile(filesOf(random)), compile(filesOf(named))];
        const { ruleset: _, ...decision } = await decide(other, { ...open });
        expect(await decide(one, open)).toEqual({ ...decision, ruleset: one.hash });
      }),
      { ...RUNS, numRuns: times(30) },
    );
  });

  it('decides 1,000 concurrent checks as it does one by one', async () => {
    const facts = fc.sample(factsAndCompletion, { seed: 11, numRuns: 1000 }).map(({ open }) => open);
    // A random set may have no live rule: this is one under which decisions differ.
    const ruleSet = fc
      .sample(rules, { seed: 7, numRuns: 50 })
      .map((random) => compile(filesOf(random)))
      .find((some) => new Set(facts.slice(0, 200).map((one) => quickTally(some, one).score)).size > 3);
    if (!ruleSet) throw new Error('no rule set with several scores');
    const together = await Promise.all(facts.map((one) => decide(ruleSet, one)));
    for (const [index, one] of facts.entries()) {
      expect(together[index]).toEqual(await decide(ruleSet, one));
    }
    // They do not all have the same decision.
    expect(new Set(together.map(({ score }) => score)).size).toBeGreaterThan(3);
  }, 60_000);
});
