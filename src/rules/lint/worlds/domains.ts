import type { FactValue } from '../../../provider-kit/index.ts';
import { RISK_SCORE, THRESHOLD_PREFIX } from '../../definitions.ts';
import { ascending, boundsOf, toldApart, valuesAround } from '../../degraded/telling-values.ts';
import { factsRead, isReference, type Literal } from '../../negation-normal-form.ts';
import type { ReadableFact, ReadableFacts } from '../readable-facts.ts';

/** A fact and the values that tell worlds apart; null is unknown. */
export interface Domain {
  readonly id: string;
  readonly values: readonly (FactValue | null)[];
}

export interface DomainOptions {
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
export function domainsOf(literals: readonly Literal[], options: DomainOptions): readonly Domain[] {
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
