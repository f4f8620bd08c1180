import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsRead, literalsOf } from '../../src/rules/conditions.ts';
import type { Facts } from '../../src/rules/decision.ts';
import { RISK_SCORE } from '../../src/rules/definitions.ts';
import { openFacts, truthOf } from '../../src/rules/kleene.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';
import { TruthVector } from '../../src/rules/truth-vector.ts';
import { factsAndCompletion, filesOf, rules } from './random-rules.ts';
import { compile, group, points, when } from './rules-directory.ts';

const facts = factsAndCompletion.map(({ open }) => open);

function truthsIn({ points: scored, forces, shadows, actions, constants }: RuleSet, given: Facts) {
  const all = { ...given, ...constants };
  return [...scored, ...forces, ...shadows, ...actions]
    .flatMap(({ condition }) => literalsOf(condition))
    .filter((literal) => !factsRead(literal).includes(RISK_SCORE))
    .map((literal) => [truthOf(literal, all), openFacts(literal, all)]);
}

describe('a truth vector', () => {
  it('is the same for two sets of facts only where each comparison of each rule set has the same truth value', () => {
    let alike = 0;
    fc.assert(
      fc.property(rules, rules, facts, facts, (one, other, given, others) => {
        const sets = [compile(filesOf(one)), compile(filesOf(other))];
        const vector = new TruthVector(sets);
        const truths = (some: Facts) => sets.map((set) => truthsIn(set, some));
        for (const id of Object.keys(given)) {
          const changed = { ...given, [id]: others[id] ?? null };
          if (vector.keyOf(changed) !== vector.keyOf(given)) continue;
          if (changed[id] !== given[id]) alike += 1;
          expect(truths(changed)).toEqual(truths(given));
        }
      }),
      { numRuns: 40, seed: 20261121 },
    );
    expect(alike).toBeGreaterThan(50);
  });

  it('distinguishes the facts of more comparisons than fit into one code unit', () => {
    const wide = Array.from(
      { length: 60 },
      (_, n) => `{ fact: entropy.score, operator: greaterThan, value: ${n} }`,
    );
    const set = compile({
      'many.yaml': group(
        'many',
        Object.fromEntries(wide.map((comparison, n) => [`rule_${n}`, `${points(1)}, ${when(comparison)}`])),
      ),
    });
    const vector = new TruthVector([set]);
    const keys = Array.from({ length: 60 }, (_, n) =>
      vector.keyOf({ ...Object.fromEntries(vector.facts.map((id) => [id, null])), 'entropy.score': n + 0.5 }),
    );
    expect(new Set(keys).size).toBe(60);
  });

  it('reports a missing fact, or treats it as unknown on request, and still distinguishes the two', () => {
    const set = compile({
      'mail.yaml': group('mail', {
        one: `${points(1)}, ${when('{ fact: domain.has_mx, operator: equal, value: false }')}`,
      }),
    });
    expect(() => new TruthVector([set]).keyOf({})).toThrow(/the fact "domain.has_mx" is missing/);
    const missing: string[] = [];
    const lenient = new TruthVector([set], (fact) => {
      missing.push(fact);
      return null;
    });
    expect(lenient.keyOf({})).not.toBe(lenient.keyOf({ 'domain.has_mx': null }));
    lenient.keyOf({});
    expect(missing).toEqual(['domain.has_mx', 'domain.has_mx']);
  });
});
