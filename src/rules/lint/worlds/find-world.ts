import type { FactValue } from '../../../provider-kit/index.ts';
import { isReference, type Literal, type NormalCondition } from '../../negation-normal-form.ts';
import { OPERATORS } from '../../operators.ts';
import type { Domain } from './domains.ts';

/** Facts that are settled so far, thresholds among them; what is not in it is still open, null is unknown. */
export type World = Map<string, FactValue | null>;

/** What a half-settled world says of a question: yes, no, or (undefined) that it depends on the rest. */
export type Verdict = boolean | undefined;

/** Asked of each world on the way, whose facts may be settled in part. */
export type Goal = (world: World, isSettled: boolean) => Verdict;

/** Enough for every rule that a person would write; above it lint keeps silent rather than guess. */
const MOST_STEPS = 20_000;

/**
 * Looks for a world in which `goal` is true, settling one fact after the other and leaving a branch as soon as it
 * cannot become so. Exact: false means that there is none. Undefined when that would take too long to find out.
 */
export function existsWorld(
  goal: Goal,
  domains: readonly Domain[],
  thresholds: Readonly<Record<string, number>>,
  mostSteps = MOST_STEPS,
): boolean | undefined {
  const world: World = new Map(Object.entries(thresholds));
  let steps = 0;
  const descend = (depth: number): boolean => {
    steps += 1;
    const verdict = goal(world, depth === domains.length);
    if (verdict !== undefined) return verdict;
    const domain = domains[depth];
    if (!domain) return false;
    for (const value of domain.values) {
      if (steps > mostSteps) return false;
      world.set(domain.id, value);
      if (descend(depth + 1)) return true;
    }
    world.delete(domain.id);
    return false;
  };
  const found = descend(0);
  return !found && steps > mostSteps ? undefined : found;
}

/** Whether a rule with this condition fires: a comparison with what is unknown does not hold. */
export function fires(condition: NormalCondition, world: World): Verdict {
  if ('fact' in condition) return literalHolds(condition, world);
  const isAll = 'all' in condition;
  let isOpen = false;
  for (const part of isAll ? condition.all : condition.any) {
    const verdict = fires(part, world);
    if (verdict === !isAll) return verdict;
    if (verdict === undefined) isOpen = true;
  }
  return isOpen ? undefined : isAll;
}

function literalHolds({ fact, operator, value }: Literal, world: World): Verdict {
  const left = world.get(fact);
  const right = isReference(value) ? world.get(value.fact) : value;
  if (left === null || right === null) return false;
  if (left === undefined || right === undefined) return undefined;
  return OPERATORS[operator].holds(left, right);
}
