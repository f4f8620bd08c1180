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
  readonly #examples = new Map<NormalCondition, World | undefined>();

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

  /** Whether the rule could fire at one of these scores; all scores when absent. */
  canFire(condition: NormalCondition, knowledge: Knowledge, scores?: readonly number[]): boolean {
    return this.#exists((world) => firesIn(condition, world), [condition], knowledge, scores) !== false;
  }

  /** Whether it fires for some address that `never` allows. A `never` with a fact that the condition does not read is left out. */
  canFireForAnAddress(condition: NormalCondition): boolean {
    const read = new Set(factsIn(condition));
    const never = this.never.filter((together) => factsIn(together).every((id) => read.has(id)));
    const firesForOne = (world: World): Truth => {
      const truths = [
        firesIn(condition, world),
        ...never.map((together) => negated(firesIn(together, world))),
      ];
      if (truths.includes(false)) return false;
      return truths.includes(null) ? null : true;
    };
    return this.#exists(firesForOne, [condition, ...never], 'all_known') !== false;
  }

  /** Names an empty list where empty lists make the condition never or always true, for messages; else undefined. */
  describeEmptyList(condition: NormalCondition): string | undefined {
    const id = factsIn(condition).find((read) => this.#isEmptyList(read));
    if (id === undefined) return undefined;
    const other = this.#withOtherAnswers(condition);
    const isNever = !this.canFire(condition, 'all_known') && this.canFire(other, 'all_known');
    const isAlways = !this.canKeepQuiet(condition, 'all_known') && this.canKeepQuiet(other, 'all_known');
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

  /** Whether some address keeps the rule from firing. */
  canKeepQuiet(condition: NormalCondition, knowledge: Knowledge): boolean {
    return !this.implies({ all: [] }, condition, knowledge);
  }

  /** Whether `other` fires wherever `first` does. False where that is not certain. */
  implies(first: NormalCondition, other: NormalCondition, knowledge: Knowledge): boolean {
    // One example settles most pairs of rules. Trying all worlds takes the square of the rules that compare the same text.
    const example = this.#exampleOf(first);
    if (example && firesIn(other, example) === false) return false;
    const firesAlone = (world: World): Truth => {
      const one = firesIn(first, world);
      if (one === false) return false;
      const two = firesIn(other, world);
      if (two === true) return false;
      return one === null || two === null ? null : true;
    };
    return this.#exists(firesAlone, [first, other], knowledge) === false;
  }

  /** A world of known facts in which it fires; undefined where none is found. Cached for each condition. */
  #exampleOf(condition: NormalCondition): World | undefined {
    if (this.#examples.has(condition)) return this.#examples.get(condition);
    let example: World | undefined;
    const fires = (world: World): Truth => {
      const truth = firesIn(condition, world);
      if (truth) example = { ...world };
      return truth;
    };
    this.#exists(fires, [condition], 'all_known');
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
    const note = (world: World): Truth => {
      const fired: One[] = [];
      for (const rule of rules) {
        const truth = firesIn(rule.condition, world);
        if (truth === null) return null;
        if (truth) fired.push(rule);
      }
      found.set(fired.map(({ id }) => id).join(), fired);
      return false;
    };
    const conditions = rules.map(({ condition }) => condition);
    return this.#exists(note, conditions, 'some_unknown') === undefined ? undefined : [...found.values()];
  }

  /**
   * Whether `isGoal` is true in some world that the conditions tell apart; `isGoal` returns null where that depends on facts that
   * are still open. Settles one fact after the other and leaves a branch as soon as its answer is certain. Undefined where the
   * search takes too long.
   */
  #exists(
    isGoal: (world: World) => Truth,
    conditions: readonly NormalCondition[],
    knowledge: Knowledge,
    scores?: readonly number[],
  ): boolean | undefined {
    const domains = this.#domains(conditions, knowledge, scores);
    const world: World = { ...this.#constants };
    let steps = 0;
    const descend = (depth: number): boolean => {
      steps += 1;
      const answer = isGoal(world);
      if (answer !== null) return answer;
      const domain = domains[depth];
      if (!domain) return false;
      for (const value of domain.values) {
        if (steps > MOST_STEPS) return false;
        world[domain.id] = value;
        if (descend(depth + 1)) return true;
      }
      world[domain.id] = undefined;
      return false;
    };
    const found = descend(0);
    return !found && steps > MOST_STEPS ? undefined : found;
  }

  /**
   * For each fact that the conditions read, in the order in which they name it, one value for each way in which their
   * comparisons can turn out, null for unknown: what holds in these worlds holds in all. Takes the square of the number of
   * comparisons.
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

function negated(truth: Truth): Truth {
  return truth === null ? null : !truth;
}
