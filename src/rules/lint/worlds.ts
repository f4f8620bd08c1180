import type { FactValue } from '../../provider-kit/index.ts';
import { factsRead, isReference, type Literal, literalsOf, type NormalCondition } from '../conditions.ts';
import { RISK_SCORE, THRESHOLD_PREFIX, type Threshold } from '../definitions.ts';
import { firesIn, type Truth } from '../kleene.ts';
import { ALL_SCORES } from '../score.ts';
import { ascending, boundsOf, toldApart, valuesAround } from '../telling-values.ts';
import type { ReadableFact, ReadableFacts } from './readable-facts.ts';

/** Facts and thresholds that are settled so far: null is unknown, what is absent or undefined is still open. */
export type World = Record<string, FactValue | null | undefined>;

/** In which worlds: those where every fact is known, or all. */
type Knowledge = 'all_known' | 'some_unknown';

/** Asked of each world on the way: yes, no, or null where that depends on facts that are still open. */
type Goal = (world: World, isSettled: boolean) => Truth;

/** A fact and the values that tell worlds apart; null is unknown. */
export interface Domain {
  readonly id: string;
  readonly values: readonly (FactValue | null)[];
}

/** Enough for every rule that a person would write; above it lint keeps silent rather than guess. */
const MOST_STEPS = 20_000;

/**
 * Questions about conditions, answered exactly by trying every world that they tell apart; where that would take too long,
 * with the answer that lint is silent on.
 */
export class Logic {
  readonly #facts: ReadableFacts;
  /** By `threshold.<name>`. */
  readonly thresholds: Readonly<Record<string, number>>;

  constructor(facts: ReadableFacts, thresholds: ReadonlyMap<string, Threshold>) {
    this.#facts = facts;
    this.thresholds = thresholdFacts(thresholds);
  }

  /** Whether the rule could fire at one of these scores; all scores when absent. */
  canFire(condition: NormalCondition, knowledge: Knowledge, scores?: readonly number[]): boolean {
    const domains = this.domains([condition], knowledge, scores);
    return this.exists((world) => firesIn(condition, world), domains) !== false;
  }

  /** Whether some address keeps the rule from firing. */
  canKeepQuiet(condition: NormalCondition, knowledge: Knowledge): boolean {
    const goal = (world: World): Truth => {
      const fired = firesIn(condition, world);
      return fired === null ? null : !fired;
    };
    return this.exists(goal, this.domains([condition], knowledge)) !== false;
  }

  /** Whether wherever the first fires the other does. False where that is not certain. */
  implies(first: NormalCondition, other: NormalCondition, knowledge: Knowledge): boolean {
    const goal = (world: World): Truth => {
      const one = firesIn(first, world);
      if (one === false) return false;
      const two = firesIn(other, world);
      if (two === true) return false;
      return one === null || two === null ? null : true;
    };
    return this.exists(goal, this.domains([first, other], knowledge)) === false;
  }

  areEqual(one: NormalCondition, other: NormalCondition, knowledge: Knowledge): boolean {
    return this.implies(one, other, knowledge) && this.implies(other, one, knowledge);
  }

  /**
   * Whether the goal is true in some world made of these domains: settles one fact after the other and leaves a branch as
   * soon as its answer is certain. Undefined where that takes more than `mostSteps`.
   */
  exists(goal: Goal, domains: readonly Domain[], mostSteps = MOST_STEPS): boolean | undefined {
    const world: World = { ...this.thresholds };
    let steps = 0;
    const descend = (depth: number): boolean => {
      steps += 1;
      const answer = goal(world, depth === domains.length);
      if (answer !== null) return answer;
      const domain = domains[depth];
      if (!domain) return false;
      for (const value of domain.values) {
        if (steps > mostSteps) return false;
        world[domain.id] = value;
        if (descend(depth + 1)) return true;
      }
      world[domain.id] = undefined;
      return false;
    };
    const found = descend(0);
    return !found && steps > mostSteps ? undefined : found;
  }

  /** The worlds that the conditions tell apart; undefined where there are more than `most`. */
  worldsOf(conditions: readonly NormalCondition[], most: number): readonly World[] | undefined {
    let worlds: readonly World[] = [{ ...this.thresholds }];
    for (const { id, values } of this.domains(conditions, 'some_unknown')) {
      if (worlds.length * values.length > most) return undefined;
      worlds = worlds.flatMap((world) => values.map((value) => ({ ...world, [id]: value })));
    }
    return worlds;
  }

  /**
   * For each fact that the conditions read, in the order in which they name it, one value for each way in which their
   * comparisons can turn out: what holds in these worlds holds in all. Takes the square of the number of comparisons.
   */
  domains(
    conditions: readonly NormalCondition[],
    knowledge: Knowledge,
    scores: readonly number[] = ALL_SCORES,
  ): readonly Domain[] {
    const literals = conditions.flatMap(literalsOf);
    const ids = [...new Set(literals.flatMap(factsRead))].filter((id) => !id.startsWith(THRESHOLD_PREFIX));
    const linked = new Set(literals.filter(comparesTwoFacts).flatMap(factsRead));
    return ids.map((id) => {
      const fact = this.#facts.find(id);
      if (!fact) return { id, values: [false, true] };
      const values = this.#valuesOf(fact, literals, linked, scores);
      // A fact that is switched off is judged as if it were on: lint tells of each rule that reads it.
      const canBeUnknown = knowledge === 'some_unknown' && (fact.isDisabled || !fact.isSettled);
      return { id, values: canBeUnknown ? [null, ...values] : values };
    });
  }

  #valuesOf(
    fact: ReadableFact,
    literals: readonly Literal[],
    linked: ReadonlySet<string>,
    scores: readonly number[],
  ): readonly FactValue[] {
    const isLinked = linked.has(fact.id);
    const about = literals.filter((literal) => factsRead(literal).includes(fact.id));
    const candidates = (): readonly FactValue[] => {
      if (fact.id === RISK_SCORE) return scores;
      if (fact.type === 'boolean') return [false, true];
      if (fact.type === 'string') return fact.values;
      if (!isLinked) return valuesAround(boundsOf(about, this.thresholds), fact.type);
      const bounds = boundsOf(
        literals.filter((literal) => linked.has(literal.fact)),
        this.thresholds,
      );
      return linkedNumbers(bounds, linked.size, fact.type === 'integer');
    };
    return isLinked ? candidates() : toldApart(candidates(), about, this.thresholds);
  }
}

/** By `threshold.<name>`. */
export function thresholdFacts(thresholds: ReadonlyMap<string, Threshold>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...thresholds.values()].map(({ name, value }) => [`${THRESHOLD_PREFIX}${name}`, value]),
  );
}

function comparesTwoFacts({ value }: Literal): boolean {
  return isReference(value) && !value.fact.startsWith(THRESHOLD_PREFIX);
}

/**
 * Facts that are compared with one another can stand in any order on either side of every constant: as many numbers around
 * each as there are such facts.
 */
function linkedNumbers(bounds: readonly number[], facts: number, isWhole: boolean): readonly number[] {
  const steps = Array.from({ length: 2 * facts + 1 }, (_, index) => index - facts);
  const whole = ascending(
    (bounds.length === 0 ? [0] : bounds)
      .flatMap((bound) => [Math.floor(bound), Math.ceil(bound)])
      .flatMap((bound) => steps.map((step) => bound + step)),
  );
  if (isWhole) return whole;
  const points = ascending([...whole, ...bounds]);
  return points.flatMap((point, index) => {
    const gap = (points[index + 1] ?? point + 1) - point;
    return Array.from({ length: facts + 1 }, (_, part) => point + (gap * part) / (facts + 1));
  });
}
