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
    const read = JSON.parse(facts);
    return factNames === null ? read : named(factNames, read);
  } catch (error) {
    throw new Error(`the facts of the check ${id} cannot be read: ${String(error)}`);
  }
}

function named(names: readonly string[], kept: readonly Facts[string][]): Record<string, Facts[string]> {
  const facts: Record<string, Facts[string]> = {};
  for (let place = 0; place < names.length; place += 1) {
    facts[String(names[place])] = kept[place + 1] ?? null;
  }
  return facts;
}
