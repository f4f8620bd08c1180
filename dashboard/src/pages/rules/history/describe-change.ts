import type { Comparison } from '../queries.ts';

type Change = NonNullable<Comparison['changes']>[number];

/** One line for each member that has changed: `points 30 → 45`. */
export function describeChange({ change, details, concerns }: Change): readonly string[] {
  const lines = details.flatMap(({ what, before, after }) => {
    if (what === 'condition') return [...listed('−', before), ...listed('+', after)];
    if (change === 'added') return isEmpty(after) ? [] : [`${what} ${show(after)}`];
    if (change === 'removed') return isEmpty(before) ? [] : [`${what} ${show(before)}`];
    return [`${what} ${show(before)} → ${show(after)}`];
  });
  return concerns.length === 0 ? lines : [...lines, `read by ${concerns.join(', ')}`];
}

function listed(mark: string, texts: unknown): readonly string[] {
  return Array.isArray(texts) ? texts.map((text) => `${mark} ${String(text)}`) : [];
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function show(value: unknown): string {
  if (isEmpty(value)) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
