import type { Facts } from '../rules/decision.ts';

/** Facts as a store keeps them: a million rows share the names. */
export interface KeptFacts {
  readonly id: string;
  /** JSON: an object; or, where there are names, an array of something else and a value for each name. */
  readonly facts: string;
  readonly factNames: readonly string[] | null;
}

/** Throws an Error that names the check whose text is none. */
export function readFacts({ id, facts, factNames }: KeptFacts): Record<string, Facts[string]> {
  try {
    return readNamed(facts, factNames);
  } catch (error) {
    throw new Error(`the facts of the check ${id} cannot be read: ${String(error)}`);
  }
}

/** JSON in which names may be left out, as in `KeptFacts`. Throws where the text is none. */
export function readNamed<Value>(
  json: string,
  names: readonly string[] | null,
): Record<string, Value | null> {
  const kept = JSON.parse(json);
  if (names === null) return kept;
  const values: Record<string, Value | null> = {};
  for (let place = 0; place < names.length; place += 1) {
    values[String(names[place])] = kept[place + 1] ?? null;
  }
  return values;
}
