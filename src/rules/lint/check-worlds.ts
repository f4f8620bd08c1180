import type { FactValue } from '../../provider-kit/index.ts';
import type { Facts } from '../decision.ts';
import { RISK_SCORE, type Rule, THRESHOLD_PREFIX, type Threshold } from '../definitions.ts';
import { truthOf } from '../kleene.ts';
import {
  factsRead,
  isReference,
  type Literal,
  literalsOf,
  toNegationNormalForm,
} from '../negation-normal-form.ts';
import type { ProblemList } from '../problem.ts';
import type { ReadableFacts } from './readable-facts.ts';

/** Above this a condition is not tried out; a rule of eight booleans and two enums stays well below. */
const MOST_WORLDS = 4096;

/**
 * Tries each condition in every world that it can tell apart: one value for each side of each number it
 * names. A condition that is true in none of them, or in all, is a slip.
 */
export function checkWorlds(
  rules: readonly Rule[],
  facts: ReadableFacts,
  thresholds: ReadonlyMap<string, Threshold>,
  problems: ProblemList,
): void {
  const named = Object.fromEntries(
    [...thresholds.values()].map(({ name, value }) => [`${THRESHOLD_PREFIX}${name}`, value]),
  );
  const seen = new Map<string, Rule>();
  for (const rule of rules) {
    const condition = toNegationNormalForm(rule.conditions);
    reportTwin(rule, JSON.stringify([rule.kind, condition]), seen, problems);
    const literals = literalsOf(condition);
    if (rule.kind === 'level' || comparesTwoFacts(literals)) continue;
    const worlds = worldsOf(literals, facts, named);
    if (!worlds) continue;
    const truths = worlds.map((world) => truthOf(condition, { ...named, ...world }).is === 'true');
    if (!truths.includes(true)) {
      problems.report(
        'never_true',
        rule.place,
        `the condition of ${rule.id} contradicts itself: it is never true`,
      );
    } else if (!truths.includes(false)) {
      problems.report('always_true', rule.place, `the condition of ${rule.id} is true for every address`);
    }
  }
}

/** A shadow or a rule that is off may well repeat a live one, with other points. */
function reportTwin(rule: Rule, key: string, seen: Map<string, Rule>, problems: ProblemList): void {
  if (rule.mode !== 'live') return;
  const twin = seen.get(key);
  if (twin) {
    const message = `${rule.id} has the same condition as ${twin.id}: they always fire together`;
    problems.report('duplicate_condition', rule.place, message);
  }
  seen.set(key, twin ?? rule);
}

function comparesTwoFacts(literals: readonly Literal[]): boolean {
  return literals.some(({ value }) => isReference(value) && !value.fact.startsWith(THRESHOLD_PREFIX));
}

function worldsOf(
  literals: readonly Literal[],
  facts: ReadableFacts,
  named: Readonly<Record<string, number>>,
): readonly Facts[] | undefined {
  let worlds: readonly Facts[] = [{}];
  const ids = new Set(literals.flatMap(factsRead).filter((id) => !id.startsWith(THRESHOLD_PREFIX)));
  for (const id of ids) {
    const values = valuesThatDiffer(id, literals, facts, named);
    if (worlds.length * values.length > MOST_WORLDS) return undefined;
    worlds = worlds.flatMap((world) => values.map((value) => ({ ...world, [id]: value })));
  }
  return worlds;
}

function valuesThatDiffer(
  id: string,
  literals: readonly Literal[],
  facts: ReadableFacts,
  named: Readonly<Record<string, number>>,
): readonly FactValue[] {
  const fact = facts.find(id);
  if (!fact || fact.type === 'boolean') return [false, true];
  if (fact.type === 'string') return fact.values;
  const bounds = literals
    .filter((literal) => literal.fact === id)
    .map(({ value }) => (isReference(value) ? named[value.fact] : value))
    .filter((bound) => typeof bound === 'number')
    .toSorted((a, b) => a - b);
  const unit = fact.type === 'integer' ? 1 : smallestGap(bounds) / 2;
  const values = new Set(bounds.flatMap((bound) => [bound - unit, bound, bound + unit]));
  return id === RISK_SCORE ? [...values].filter((score) => score >= 0 && score <= 100) : [...values];
}

/** So that a step from one bound does not jump over the next. */
function smallestGap(sorted: readonly number[]): number {
  const gaps = sorted.map((bound, index) => bound - (sorted[index - 1] ?? bound - 1));
  return Math.min(1, ...gaps.filter((gap) => gap > 0));
}
