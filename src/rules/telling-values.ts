import type { FactType, FactValue } from '../provider-kit/index.ts';
import type { CataloguedFact } from '../signals/signals.ts';
import { factsRead, isReference } from './conditions.ts';
import type { Literal } from './definitions.ts';
import type { Constants } from './named-list.ts';
import { holds } from './operators.ts';
import { tellingTexts } from './telling-texts.ts';

/**
 * Values of a fact, one for each way in which these comparisons can turn out: no rule made of them tells any
 * other value from all of these.
 */
export function tellingValues(
  fact: Pick<CataloguedFact, 'id' | 'type' | 'values'>,
  literals: readonly Literal[],
  constants: Constants,
): readonly FactValue[] {
  const about = literals.filter((literal) => factsRead(literal).includes(fact.id));
  const candidates = candidatesOf(fact, about, constants);
  // Compared with another fact, each candidate may tell something that depends on the other's value.
  if (isPaired(about, constants)) return candidates;
  return toldApart(candidates, about, constants);
}

function isPaired(about: readonly Literal[], constants: Constants): boolean {
  return about.some(({ value }) => isReference(value) && constants[value.fact] === undefined);
}

function candidatesOf(
  { type, values }: Pick<CataloguedFact, 'type' | 'values'>,
  about: readonly Literal[],
  constants: Constants,
): readonly FactValue[] {
  if (type === 'boolean') return [false, true];
  if (type === 'string') return values ?? [];
  // Of a fact that is compared with another one, two of each kind: the other may be the same, or not.
  if (isOpenText(type)) return tellingTexts(about, constants, isPaired(about, constants) ? 2 : 1);
  const around = valuesAround(boundsOf(about, constants), type);
  return around.length === 0 ? [0, 1, 2] : around;
}

/** Of the candidates that no comparison with a constant tells apart, the first `most`. */
export function toldApart(
  candidates: readonly FactValue[],
  about: readonly Literal[],
  constants: Constants,
  most = 1,
): readonly FactValue[] {
  const bySigns = new Map<string, FactValue[]>();
  for (const candidate of candidates) {
    const signs = about.map(({ operator, value }) => {
      const right = isReference(value) ? (constants[value.fact] ?? null) : value;
      return holds(operator, candidate, right) ? '1' : '0';
    });
    const alike = bySigns.get(signs.join(''));
    if (!alike) bySigns.set(signs.join(''), [candidate]);
    else if (alike.length < most) alike.push(candidate);
  }
  return [...bySigns.values()].flat();
}

/** Whether facts of the type are open text. */
export function isOpenText(type: FactType): boolean {
  return type === 'text' || type === 'domain';
}

/** The numbers that the comparisons name, thresholds among them. */
export function boundsOf(literals: readonly Literal[], constants: Constants): readonly number[] {
  return literals
    .map(({ value }) => (isReference(value) ? constants[value.fact] : value))
    .filter((bound) => typeof bound === 'number');
}

/** On each bound, below and above it: between two neighbours of these no comparison with a constant changes. */
function valuesAround(bounds: readonly number[], type: FactType): readonly number[] {
  const sorted = ascending(bounds);
  const gaps = sorted.slice(1).map((bound, index) => bound - (sorted[index] ?? 0));
  // So that a step from one bound does not jump over the next.
  const step = type === 'integer' ? 1 : Math.min(1, ...gaps) / 2;
  return ascending(bounds.flatMap((bound) => [bound - step, bound, bound + step]));
}

/** Each once. */
export function ascending(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
