import type { FactValue } from '../../provider-kit/index.ts';
import type { CataloguedFact } from '../../signals/fact-catalogue.ts';
import type { Facts } from '../decision.ts';
import { factsRead, isReference, type Literal } from '../negation-normal-form.ts';
import { holds } from '../operators.ts';

/**
 * Values of a fact, one for each way in which these comparisons can turn out: no rule made of them tells any
 * other value from all of these.
 */
export function tellingValues(
  fact: CataloguedFact,
  literals: readonly Literal[],
  thresholds: Facts,
): readonly FactValue[] {
  const about = literals.filter((literal) => factsRead(literal).includes(fact.id));
  const candidates = candidatesOf(fact, about, thresholds);
  // Compared with another fact, each candidate may tell something that depends on the other's value.
  if (about.some(({ value }) => isReference(value) && thresholds[value.fact] === undefined))
    return candidates;
  const bySigns = new Map<string, FactValue>();
  for (const candidate of candidates) {
    const signs = about.map(({ operator, value }) => {
      const right = isReference(value) ? (thresholds[value.fact] ?? null) : value;
      return holds(operator, candidate, right) ? '1' : '0';
    });
    if (!bySigns.has(signs.join(''))) bySigns.set(signs.join(''), candidate);
  }
  return [...bySigns.values()];
}

function candidatesOf(
  { type, values }: CataloguedFact,
  about: readonly Literal[],
  thresholds: Facts,
): readonly FactValue[] {
  if (type === 'boolean') return [false, true];
  if (type === 'string') return values ?? [];
  // On each bound, below and above it: between two neighbours of these no comparison with a constant changes.
  const bounds = about.flatMap(({ value }) => {
    const bound = isReference(value) ? thresholds[value.fact] : value;
    return typeof bound === 'number' ? [bound] : [];
  });
  const step = type === 'integer' ? 1 : smallestGap(bounds) / 2;
  const around = bounds.flatMap((bound) => [bound - step, bound, bound + step]);
  return around.length === 0 ? [0, 1, 2] : [...new Set(around)].sort((a, b) => a - b);
}

function smallestGap(bounds: readonly number[]): number {
  const sorted = [...new Set(bounds)].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((bound, index) => bound - (sorted[index] ?? 0));
  return Math.min(1, ...gaps);
}
