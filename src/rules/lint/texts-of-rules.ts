import { isReference, literalsOf } from '../conditions.ts';
import { isConstant, type Literal, type Rule } from '../definitions.ts';
import type { Constants } from '../named-list.ts';
import { tellingTexts } from '../telling-texts.ts';

/**
 * For each fact that is open text, texts for every way in which the comparisons of all rules can turn out. Found once for a whole directory:
 * a list of 100,000 entries is gone through for each comparison, and there are as many questions as pairs of rules.
 */
export class TextsOfRules {
  readonly #literals: readonly Literal[];
  readonly #found = new Map<string, readonly string[]>();
  /** Facts that some rule compares with each other. */
  readonly #linked: ReadonlySet<string>;

  constructor(
    rules: readonly Pick<Rule, 'condition'>[],
    private readonly constants: Constants,
  ) {
    this.#literals = rules.flatMap(({ condition }) => literalsOf(condition));
    this.#linked = new Set(
      this.#literals.flatMap(({ fact, value }) =>
        isReference(value) && !isConstant(value.fact) ? [fact, value.fact] : [],
      ),
    );
  }

  of(fact: string): readonly string[] {
    const known = this.#found.get(fact);
    if (known) return known;
    const isLinked = this.#linked.has(fact);
    // Facts that are compared with each other can be the same text, or different ones that turn every comparison out alike.
    const about = this.#literals.filter((literal) =>
      isLinked ? this.#linked.has(literal.fact) : literal.fact === fact,
    );
    const texts = tellingTexts(about, this.constants, isLinked ? this.#linked.size : 1);
    this.#found.set(fact, texts);
    return texts;
  }
}
