import { THRESHOLD_PREFIX, type Threshold } from '../../definitions.ts';
import { literalsOf, type NormalCondition } from '../../negation-normal-form.ts';
import type { ReadableFacts } from '../readable-facts.ts';
import { type Domain, domainsOf } from './domains.ts';
import { existsWorld, fires, type Goal, type Verdict, type World } from './find-world.ts';

/** In which worlds: those where every fact is known, or all. */
export type Knowledge = 'all_known' | 'some_unknown';

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
