import type { FactValue } from '../../provider-kit/index.ts';
import { factsRead, isReference, type Literal, literalsOf, type NormalCondition } from '../conditions.ts';
import { RISK_SCORE, THRESHOLD_PREFIX, type Threshold } from '../definitions.ts';
import { OPERATORS } from '../operators.ts';
import { ascending, boundsOf, toldApart, valuesAround } from '../telling-values.ts';
import type { ReadableFact, ReadableFacts } from './readable-facts.ts';

/** A fact and the values that tell worlds apart; null is unknown. */
export interface Domain {
  readonly id: string;
  readonly values: readonly (FactValue | null)[];
}

interface DomainOptions {
  readonly facts: ReadableFacts;
  /** By `threshold.<name>`. */
  readonly thresholds: Readonly<Record<string, number>>;
  /**
   * Whether a fact that may be unknown is so in some worlds. One that is switched off is judged as if it were on: lint
   * tells of each rule that reads it, and a switch must not bring more to light.
   */
  readonly withUnknown: boolean;
  /** The scores there are; 0 to 100 when absent. */
  readonly scores?: readonly number[];
}

const ALL_SCORES = Array.from({ length: 101 }, (_, score) => score);

/**
 * For each fact that the comparisons read, one value for each way in which they can turn out: whatever holds in these
 * worlds holds in all. In the order in which the facts are first named.
 */
function domainsOf(literals: readonly Literal[], options: DomainOptions): readonly Domain[] {
  const ids = [...new Set(literals.flatMap(factsRead))].filter((id) => !id.startsWith(THRESHOLD_PREFIX));
  const linked = new Set(literals.filter(comparesTwoFacts).flatMap(factsRead));
  return ids.map((id) => {
    const fact = options.facts.find(id);
    if (!fact) return { id, values: [false, true] };
    const about = literals.filter((literal) => factsRead(literal).includes(id));
    const values = linked.has(id)
      ? linkedValues(fact, literals, linked, options)
      : toldApart(candidatesOf(fact, about, options), about, options.thresholds);
    return {
      id,
      values: options.withUnknown && (fact.isDisabled || !fact.isSettled) ? [null, ...values] : values,
    };
  });
}

function comparesTwoFacts({ value }: Literal): boolean {
  return isReference(value) && !value.fact.startsWith(THRESHOLD_PREFIX);
}

function candidatesOf(
  fact: ReadableFact,
  about: readonly Literal[],
  options: DomainOptions,
): readonly FactValue[] {
  if (fact.id === RISK_SCORE) return options.scores ?? ALL_SCORES;
  if (fact.type === 'boolean') return [false, true];
  if (fact.type === 'string') return fact.values;
  return valuesAround(boundsOf(about, options.thresholds), fact.type);
}

/**
 * Facts that are compared with one another can stand in any order on either side of every constant: as many values
 * around each as there are such facts.
 */
function linkedValues(
  fact: ReadableFact,
  literals: readonly Literal[],
  linked: ReadonlySet<string>,
  options: DomainOptions,
): readonly FactValue[] {
  if (fact.type === 'boolean') return [false, true];
  if (fact.type === 'string') return fact.values;
  const found = boundsOf(
    literals.filter(({ fact: id }) => linked.has(id)),
    options.thresholds,
  );
  const bounds = found.length === 0 ? [0] : found;
  const steps = Array.from({ length: 2 * linked.size + 1 }, (_, index) => index - linked.size);
  const whole = ascending(
    bounds
      .flatMap((bound) => [Math.floor(bound), Math.ceil(bound)])
      .flatMap((bound) => steps.map((n) => bound + n)),
  );
  if (fact.type === 'integer') return whole;
  const points = ascending([...whole, ...bounds]);
  return points.flatMap((point, index) => {
    const gap = (points[index + 1] ?? point + 1) - point;
    return Array.from({ length: linked.size + 1 }, (_, part) => point + (gap * part) / (linked.size + 1));
  });
}

/** Facts that are settled so far, thresholds among them; what is not in it is still open, null is unknown. */
export type World = Map<string, FactValue | null>;

/** What a half-settled world says of a question: yes, no, or (undefined) that it depends on the rest. */
export type Verdict = boolean | undefined;

/** Asked of each world on the way, whose facts may be settled in part. */
type Goal = (world: World, isSettled: boolean) => Verdict;

/** Enough for every rule that a person would write; above it lint keeps silent rather than guess. */
const MOST_STEPS = 20_000;

/**
 * Looks for a world in which `goal` is true, settling one fact after the other and leaving a branch as soon as it
 * cannot become so. Exact: false means that there is none. Undefined when that would take too long to find out.
 */
function existsWorld(
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

/** In which worlds: those where every fact is known, or all. */
type Knowledge = 'all_known' | 'some_unknown';

/** Questions about conditions, answered exactly; where that would take too long, with the answer that lint is silent on. */
export class Logic {
  readonly #facts: ReadableFacts;
  readonly thresholds: Readonly<Record<string, number>>;

  constructor(facts: ReadableFacts, thresholds: ReadonlyMap<string, Threshold>) {
    this.#facts = facts;
    this.thresholds = Object.fromEntries(
      [...thresholds.values()].map(({ name, value }) => [`${THRESHOLD_PREFIX}${name}`, value]),
    );
  }

  /** Whether the rule could fire at one of these scores; all scores when absent. */
  canFire(condition: NormalCondition, knowledge: Knowledge, scores?: readonly number[]): boolean {
    return this.exists((world) => fires(condition, world), [condition], knowledge, scores) !== false;
  }

  /** Whether some address keeps the rule quiet. */
  canKeepQuiet(condition: NormalCondition, knowledge: Knowledge): boolean {
    return this.exists((world) => opposite(fires(condition, world)), [condition], knowledge) !== false;
  }

  /** Whether wherever the first fires the other does. False where that is not certain. */
  implies(first: NormalCondition, other: NormalCondition, knowledge: Knowledge): boolean {
    const goal = (world: World): Verdict => {
      const one = fires(first, world);
      if (one === false) return false;
      const two = fires(other, world);
      if (two === true) return false;
      return one === undefined || two === undefined ? undefined : true;
    };
    return this.exists(goal, [first, other], knowledge) === false;
  }

  areEqual(one: NormalCondition, other: NormalCondition, knowledge: Knowledge): boolean {
    return this.implies(one, other, knowledge) && this.implies(other, one, knowledge);
  }

  /** Whether there is a world, made of what the conditions read, in which the goal is true; undefined: too many to try. */
  exists(
    goal: Goal,
    conditions: readonly NormalCondition[],
    knowledge: Knowledge,
    scores?: readonly number[],
  ): boolean | undefined {
    return this.existsAmong(goal, this.domains(conditions, knowledge, scores));
  }

  /** The same of worlds made of these domains, for many questions about the same conditions. */
  existsAmong(goal: Goal, domains: readonly Domain[], mostSteps?: number): boolean | undefined {
    return existsWorld(goal, domains, this.thresholds, mostSteps);
  }

  /** What the conditions read, in the order in which they name it; to find it takes the square of their number. */
  domains(
    conditions: readonly NormalCondition[],
    knowledge: Knowledge,
    scores?: readonly number[],
  ): readonly Domain[] {
    return domainsOf(conditions.flatMap(literalsOf), {
      facts: this.#facts,
      thresholds: this.thresholds,
      withUnknown: knowledge === 'some_unknown',
      ...(scores && { scores }),
    });
  }

  /** The worlds that the conditions tell apart; undefined where there are more than `most`. */
  worldsOf(conditions: readonly NormalCondition[], most: number): readonly World[] | undefined {
    const domains = this.domains(conditions, 'some_unknown');
    let worlds: readonly World[] = [new Map(Object.entries(this.thresholds))];
    for (const { id, values } of domains) {
      if (worlds.length * values.length > most) return undefined;
      worlds = worlds.flatMap((world) => values.map((value) => new Map(world).set(id, value)));
    }
    return worlds;
  }
}

function opposite(verdict: Verdict): Verdict {
  return verdict === undefined ? undefined : !verdict;
}
