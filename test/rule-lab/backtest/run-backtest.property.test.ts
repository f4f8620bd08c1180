import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LABELS } from '../../../src/labels/label.ts';
import type { Case } from '../../../src/rule-lab/backtest/case.ts';
import type { BacktestReport } from '../../../src/rule-lab/backtest/run-backtest.ts';
import { decide } from '../../../src/rules/decide.ts';
import type { Decision, Facts } from '../../../src/rules/decision.ts';
import { truthOf } from '../../../src/rules/kleene.ts';
import type { RuleSet } from '../../../src/rules/rule-set.ts';
import { factsAndCompletion, filesOf, rules } from '../../rules/random-rules.ts';
import { compile } from '../../rules/rules-directory.ts';
import { backtest, caseOf } from './cases.ts';

/** The same cases on every run; a failure prints its own. */
const RUNS = { numRuns: 25, seed: 20261121 };

const labelled = fc.record({
  facts: factsAndCompletion.map(({ open }) => open),
  label: fc.constantFrom(null, ...LABELS),
});
const someCases = fc
  .array(labelled, { minLength: 20, maxLength: 30 })
  .map((list) => list.map(({ facts, label }, index): Case => caseOf(`case_${index}`, facts, { label })));

interface Decided {
  readonly one: Case;
  readonly base: Decision;
  readonly candidate: Decision;
}

async function decideAll(cases: readonly Case[], base: RuleSet, candidate: RuleSet): Promise<Decided[]> {
  return Promise.all(
    cases.map(async (one) => ({
      one,
      base: await decide(base, one.facts),
      candidate: await decide(candidate, one.facts),
    })),
  );
}

function countsOf(decided: readonly Decided[]) {
  const count = (label: Case['label']) => decided.filter(({ one }) => one.label === label).length;
  return { good: count('good'), bad: count('bad'), unlabelled: count(null) };
}

/** The rule set without one of its rules, with shadow rules made live. */
async function actionOtherwise(ruleSet: RuleSet, id: string, facts: Facts): Promise<string> {
  const without = <Rule extends { readonly id: string }>(list: readonly Rule[]) =>
    list.filter((rule) => rule.id !== id);
  const promoted = ruleSet.shadows.filter((rule) => rule.id === id);
  const changed: RuleSet = {
    ...ruleSet,
    forces: without(ruleSet.forces),
    points: [...without(ruleSet.points), ...promoted].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    shadows: without(ruleSet.shadows),
  };
  return (await decide(changed, facts)).action;
}

/** Ledgers do not contain which shadow rules were left open by unknown facts. */
function isOpen({ shadows, constants }: RuleSet, id: string, facts: Facts): boolean {
  const rule = shadows.find((shadow) => shadow.id === id);
  return rule !== undefined && truthOf(rule.condition, { ...facts, ...constants }) === null;
}

const firedIn = ({ ledger }: Decision, kinds: readonly string[]) =>
  ledger.flatMap((entry) => (kinds.includes(entry.kind) && 'id' in entry ? [entry.id] : []));

async function expectRules(
  findings: BacktestReport,
  decided: readonly Decided[],
  sets: Record<'base' | 'candidate', RuleSet>,
) {
  for (const side of ['base', 'candidate'] as const) {
    for (const figures of findings.rules) {
      const rule = figures[side];
      if (rule === null) continue;
      const kinds = rule.mode === 'shadow' ? ['shadow'] : ['rule', 'force'];
      const hits = decided.filter((each) => firedIn(each[side], kinds).includes(figures.id));
      expect(rule.by_label).toEqual(countsOf(hits));
      expect(rule.fires.count).toBe(hits.length);
      const alone = hits.filter((each) => firedIn(each[side], ['rule']).every((id) => id === figures.id));
      expect(rule.unique).toEqual(countsOf(alone));
      const decisive: Decided[] = [];
      for (const each of hits) {
        const otherwise = await actionOtherwise(sets[side], figures.id, each.one.facts);
        if (otherwise !== each[side].action) decisive.push(each);
      }
      expect(rule.decisive).toEqual(countsOf(decisive));
      const asides = decided.filter((each) =>
        rule.mode === 'shadow'
          ? isOpen(sets[side], figures.id, each.one.facts)
          : firedIn(each[side], ['stood_aside']).includes(figures.id),
      );
      expect(rule.stood_aside).toBe(asides.length);
    }
  }
}

describe('a backtest', () => {
  it('equals, for any two rule sets, what json-rules-engine decides on each case separately', async () => {
    let [flips, decisive] = [0, 0];
    await fc.assert(
      fc.asyncProperty(rules, rules, someCases, async (one, other, cases) => {
        const sets = { base: compile(filesOf(one)), candidate: compile(filesOf(other)) };
        const findings = await backtest(sets, cases);
        const decided = await decideAll(cases, sets.base, sets.candidate);
        for (const side of ['base', 'candidate'] as const) {
          for (const action of ['ALLOW', 'BLOCK'] as const) {
            const there = decided.filter((each) => each[side].action === action);
            expect(findings.confusion[side][action]).toEqual(countsOf(there));
          }
          for (const [score, counts] of findings.scores[side].entries()) {
            expect(counts).toEqual(countsOf(decided.filter((each) => each[side].score === score)));
          }
          for (const [level, count] of Object.entries(findings.levels[side])) {
            expect(count).toBe(decided.filter((each) => each[side].level === level).length);
          }
        }
        for (const [direction, action] of [
          ['to_block', 'BLOCK'],
          ['to_allow', 'ALLOW'],
        ] as const) {
          const flipped = decided.filter(
            (each) => each.base.action !== action && each.candidate.action === action,
          );
          expect(findings.flips[direction].counts).toEqual(countsOf(flipped));
          flips += flipped.length;
          for (const { examples } of findings.flips[direction].groups) {
            for (const { id, ledger } of examples) {
              const told = flipped.find((each) => each.one.id === id);
              expect(ledger).toEqual({ base: told?.base.ledger, candidate: told?.candidate.ledger });
            }
          }
        }
        await expectRules(findings, decided, sets);
        decisive += findings.rules.reduce((sum, { base }) => sum + (base?.decisive.unlabelled ?? 0), 0);
      }),
      RUNS,
    );
    // The property proves something only where decisions changed.
    expect(flips).toBeGreaterThan(30);
    expect(decisive).toBeGreaterThan(30);
  });

  it('is the same for the same cases, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(rules, rules, someCases, async (one, other, cases) => {
        const sets = { base: compile(filesOf(one)), candidate: compile(filesOf(other)) };
        const run = async () => JSON.stringify(await backtest(sets, cases));
        expect(await run()).toBe(await run());
      }),
      { ...RUNS, numRuns: 8 },
    );
  });
});
