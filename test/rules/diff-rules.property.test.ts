import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { diffRules } from '../../src/rules/diff-rules.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { catalogue } from './catalogue.ts';
import { filesOf, type RandomRules, rules } from './random-rules.ts';
import { directory, NOW } from './rules-directory.ts';

/** The same cases on every run; a failure prints its own. */
const RUNS = { numRuns: 150, seed: 20261121 };

function read(random: RandomRules, order?: Parameters<typeof filesOf>[1]) {
  const { definitions } = lintRules(directory(filesOf(random, order)), catalogue, {
    now: NOW,
    onlyErrors: true,
  });
  if (!definitions) throw new Error('random rules pass lint');
  return { definitions, hash: compileRuleSet(definitions, catalogue, NOW).hash };
}

/** One random set with some groups and decisions of another, so that they have much in common. */
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

describe('the difference of any two rules directories', () => {
  it('decides exactly where the hash is another', () => {
    let different = 0;
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        const [before, after] = [read(one), read(other)];
        const changes = diffRules(before.definitions, after.definitions, NOW);
        const isDifferent = before.hash !== after.hash;
        expect(changes.some(({ decides }) => decides)).toBe(isDifferent);
        if (isDifferent) different += 1;
      }),
      RUNS,
    );
    expect(different).toBeGreaterThan(50);
    expect(different).toBeLessThan(RUNS.numRuns);
  });

  it('is nothing where only the order is another', () => {
    fc.assert(
      fc.property(rules, fc.infiniteStream(fc.nat()), (random, dice) => {
        const order = (list: readonly unknown[]) =>
          list
            .map((item) => ({ item, at: dice.next().value ?? 0 }))
            .sort((a, b) => a.at - b.at)
            .map(({ item }) => item);
        expect(diffRules(read(random).definitions, read(random, order).definitions, NOW)).toEqual([]);
      }),
      { ...RUNS, numRuns: 40 },
    );
  });
});
