/** `a equal true and (b or not c)`, as far as a text that is being written can be read; a named condition by its name. */
export function describeCondition(condition: unknown): string {
  if (typeof condition !== 'object' || condition === null) return '…';
  const { all, any, at_least, not, fact, operator, value, condition: name } = condition as Json;
  if (all !== undefined) return joined(all, ' and ');
  if (any !== undefined) return joined(any, ' or ');
  if (not !== undefined) return `not ${within(not)}`;
  if (name !== undefined) return `condition ${String(name)}`;
  if (at_least !== undefined) {
    const { count, of } = (at_least ?? {}) as Json;
    return `at least ${String(count)} of (${joined(of, '; ')})`;
  }
  return `${String(fact)} ${String(operator)} ${describeValue(value)}`;
}

type Json = Readonly<Record<string, unknown>>;

function joined(parts: unknown, word: ' and ' | ' or ' | '; '): string {
  if (!Array.isArray(parts) || parts.length === 0) return '…';
  if (parts.length === 1 || word === '; ') return parts.map(describeCondition).join(word);
  return parts.map(within).join(word);
}

/** Puts a condition that is itself joined into brackets. */
function within(condition: unknown): string {
  const text = describeCondition(condition);
  return isJoined(condition) ? `(${text})` : text;
}

function isJoined(condition: unknown): boolean {
  const { all, any } = (condition ?? {}) as Json;
  const parts = all ?? any;
  return Array.isArray(parts) && (parts.length > 1 || parts.some(isJoined));
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  if (typeof value === 'object' && value !== null && 'fact' in value) return String(value.fact);
  return String(value);
}
