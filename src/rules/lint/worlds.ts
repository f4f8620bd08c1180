import type { FactValue } from '../../provider-kit/index.ts';
import { factsIn, isReference, literalsOf, partsOf, withParts } from '../conditions.ts';
import {
  isConstant,
  LIST_PREFIX,
  type Literal,
  type NormalCondition,
  RISK_SCORE,
  type Rule,
  THRESHOLD_PREFIX,
  type Threshold,
} from '../definitions.ts';
import { canBeUnknown } from '../described-facts.ts';
import { firesIn, type Truth } from '../kleene.ts';
import { type Constants, isNamedList, type NamedList } from '../named-list.ts';
import { BUCKET_FACT, ROLLOUT_BUCKET } from '../rollout.ts';
import { ALL_SCORES } from '../score.ts';
import { isOpenText, linkedWith, tellingTexts, tellingValues, toldApart } from '../telling-values.ts';
import type { ReadableFact, ReadableFacts } from './context.ts';

/** Facts and thresholds that are settled so far: null is unknown, what is absent or undefined is still open. */
type World = Record<string, FactValue | NamedList | null | undefined>;

/** Which worlds to try: only those where every fact is known, or all. */
type Knowledge = 'all_known' | 'some_unknown';

/** Null where the answer depends on facts that are still open; or what is left to ask once more of them are settled. */
type Goal = (world: World) => Truth | Goal;

/** A condition, and whether it is to fire. */
type Wanted = readonly [condition: NormalCondition, fires: boolean];

/** The most steps of one search. Enough for every rule that a person would write; above it lint keeps silent rather than guess. */
const MOST_STEPS = 20_000;

/**
 * Answers questions about conditions exactly, by trying every world (set of facts) that they tell apart. Where that would take too
 * long, gives the answer for which lint reports nothing.
 */
export class Logic {
  readonly #facts: ReadableFacts;
  readonly #constants: Constants;
  /** The comparisons of all rules, named conditions and `never`. */
  readonly #literals: readonly Literal[];
  readonly #texts = new Map<string, readonly string[]>();
  readonly #examples = new Map<NormalCondition, World | null | undefined>();

  /**
   * `lists`: by `list.<name>`. `rules`: ask only about their conditions, or parts of them. `never`: what no address has, as providers
   * declare it.
   */
  constructor(
    facts: ReadableFacts,
    thresholds: readonly Threshold[],
    lists: Constants,
    rules: readonly Pick<Rule, 'condition'>[],
    private readonly never: readonly NormalCondition[],
  ) {
    this.#facts = new Map<string, ReadableFact>([...facts, [ROLLOUT_BUCKET, BUCKET_FACT]]);
    const numbers = thresholds.map(({ name, value }) => [`${THRESHOLD_PREFIX}${name}`, value]);
    this.#constants = { ...Object.fromEntries(numbers), ...lists };
    this.#literals = [...rules.map(({ condition }) => condition), ...never].flatMap(literalsOf);
  }

  /** Whether the rule could fire at one of these scores; all scores when absent. What fires without some evidence fires with it too. */
  canFire(condition: NormalCondition, scores?: readonly number[]): boolean {
    return this.#findWhere([[condition, true]], 'all_known', scores) !== null;
  }

  /**
   * Whether it fires (or, with `fires` false, does not) for some address that `never` allows and all of whose facts are known. A `never`
   * with a fact that the condition does not read is left out.
   */
  isSoForAnAddress(condition: NormalCondition, fires: boolean): boolean {
    const read = new Set(factsIn(condition));
    const never = this.never.filter((together) => factsIn(together).every((id) => read.has(id)));
    const noNever = never.map((together): Wanted => [together, false]);
    return this.#findWhere([[condition, fires], ...noNever], 'all_known') !== null;
  }

  /** Names an empty list where empty lists make the condition never or always true, for messages; else undefined. */
  describeEmptyList(condition: NormalCondition): string | undefined {
    const id = factsIn(condition).find((read) => this.#isEmptyList(read));
    if (id === undefined) return undefined;
    const other = this.#withOtherAnswers(condition);
    const isNever = !this.canFire(condition) && this.canFire(other);
    const isAlways = !this.isSoForAnAddress(condition, false) && this.isSoForAnAddress(other, false);
    if (!isNever && !isAlways) return undefined;
    return `the list ${id.slice(LIST_PREFIX.length)} is empty (none of its entries is in force)`;
  }

  #isEmptyList(id: string): boolean {
    const list = this.#constants[id];
    return isNamedList(list) && list.domains.size + list.suffixes.size === 0;
  }

  /** The condition with each lookup in an empty list inverted, as if the list had a matching entry. */
  #withOtherAnswers(condition: NormalCondition): NormalCondition {
    if (!('fact' in condition)) {
      return withParts(
        condition,
        partsOf(condition).map((part) => this.#withOtherAnswers(part)),
      );
    }
    const { value, operator } = condition;
    if (!isReference(value) || !this.#isEmptyList(value.fact)) return condition;
    return { ...condition, operator: operator === 'in_list' ? 'not_in_list' : 'in_list' };
  }

  /** Whether `other` fires wherever `first` does. False where that is not certain. */
  implies(first: NormalCondition, other: NormalCondition, knowledge: Knowledge): boolean {
    // One example settles most pairs of rules. Trying all worlds takes the square of the rules that compare the same text.
    const example = this.#exampleOf(first);
    if (example && firesIn(other, example) === false) return false;
    const isFirstAlone: readonly Wanted[] = [
      [first, true],
      [other, false],
    ];
    return this.#findWhere(isFirstAlone, knowledge) === null;
  }

  /** A world of known facts in which it fires; null or undefined where none is found. Cached for each condition. */
  #exampleOf(condition: NormalCondition): World | null | undefined {
    if (this.#examples.has(condition)) return this.#examples.get(condition);
    const example = this.#findWhere([[condition, true]], 'all_known');
    this.#examples.set(condition, example);
    return example;
  }

  /** For a condition that reads the score alone. */
  firesAt(score: number, condition: NormalCondition): boolean {
    return firesIn(condition, { ...this.#constants, [RISK_SCORE]: score }) === true;
  }

  /** Which of the rules fire together in some world, each set of them once; undefined where the search takes too long. */
  firedTogether<One extends Pick<Rule, 'id' | 'condition'>>(
    rules: readonly One[],
  ): readonly (readonly One[])[] | undefined {
    const found = new Map<string, readonly One[]>();
    /** The rules before `place` are settled; `fired` are those of them that fire. */
    const settleFrom =
      (place: number, fired: readonly One[]): Goal =>
      (world) => {
        const rule = rules[place];
        if (!rule) {
          found.set(fired.map(({ id }) => id).join(), fired);
          return false;
        }
        const truth = firesIn(rule.condition, world);
        if (truth === null) return settleFrom(place, fired);
        return settleFrom(place + 1, truth ? [...fired, rule] : fired)(world);
      };
    const conditions = rules.map(({ condition }) => condition);
    const end = this.#find(settleFrom(0, []), conditions, 'some_unknown');
    return end === undefined ? undefined : [...found.values()];
  }

  #findWhere(wanted: readonly Wanted[], knowledge: Knowledge, scores?: readonly number[]) {
    const conditions = wanted.map(([condition]) => condition);
    return this.#find(haveTruths(wanted), conditions, knowledge, scores);
  }

  /**
   * A world in which `goal` is true, of those that the conditions tell apart; null where there is none, undefined where the search takes
   * too long. Settles one fact after the other and leaves a branch as soon as its answer is certain: what is settled stays so further down.
   */
  #find(
    goal: Goal,
    conditions: readonly NormalCondition[],
    knowledge: Knowledge,
    scores?: readonly number[],
  ): World | null | undefined {
    const domains = this.#domains(conditions, knowledge, scores);
    const world: World = { ...this.#constants };
    let steps = 0;
    const descend = (depth: number, asked: Goal): boolean => {
      steps += 1;
      const answer = asked(world) ?? asked;
      if (typeof answer === 'boolean') return answer;
      const domain = domains[depth];
      if (!domain) return false;
      for (const value of domain.values) {
        if (steps > MOST_STEPS) return false;
        world[domain.id] = value;
        if (descend(depth + 1, answer)) return true;
      }
      world[domain.id] = undefined;
      return false;
    };
    if (descend(0, goal)) return world;
    return steps > MOST_STEPS ? undefined : null;
  }

  /**
   * For each fact that the conditions read, one value for each way in which their comparisons can turn out, null for unknown: what holds
   * in these worlds holds in all. Takes the square of the number of comparisons.
   */
  #domains(
    conditions: readonly NormalCondition[],
    knowledge: Knowledge,
    scores: readonly number[] = ALL_SCORES,
  ): readonly { readonly id: string; readonly values: readonly (FactValue | null)[] }[] {
    const literals = conditions.flatMap(literalsOf);
    const read = new Set(conditions.flatMap(factsIn).filter((id) => !isConstant(id)));
    return [...read].flatMap((id) => {
      const fact = this.#facts.get(id);
      if (!fact) return [];
      const values = this.#valuesOf(fact, literals, scores);
      // A fact that is switched off is judged as if it were on: lint tells of each rule that reads it.
      const canBeOpen = knowledge === 'some_unknown' && canBeUnknown(fact);
      return [{ id, values: canBeOpen ? [null, ...values] : values }];
    });
  }

  #valuesOf(
    fact: ReadableFact,
    literals: readonly Literal[],
    scores: readonly number[],
  ): readonly FactValue[] {
    if (fact.id === RISK_SCORE)
      return toldApart(scores, linkedWith(fact.id, literals).about, this.#constants);
    const texts = isOpenText(fact.type) ? this.#textsOf(fact.id) : undefined;
    return tellingValues(fact, literals, this.#constants, texts);
  }

  /**
   * For a fact of open text: texts for every way in which the comparisons of all rules can turn out. Cached for the whole directory:
   * a list of 100,000 entries is walked for each comparison, and there are as many questions as pairs of rules.
   */
  #textsOf(fact: string): readonly string[] {
    const known = this.#texts.get(fact);
    if (known) return known;
    const { about, facts } = linkedWith(fact, this.#literals);
    const texts = tellingTexts(about, this.#constants, facts);
    this.#texts.set(fact, texts);
    return texts;
  }
}

/** True where each condition fires or does not, as wanted. */
function haveTruths(wanted: readonly Wanted[]): Goal {
  return (world) => {
    const open: Wanted[] = [];
    for (const one of wanted) {
      const [condition, fires] = one;
      const truth = firesIn(condition, world);
      if (truth === null) open.push(one);
      else if (truth !== fires) return false;
    }
    if (open.length === wanted.length) return null;
    return open.length === 0 || haveTruths(open);
  };
}
