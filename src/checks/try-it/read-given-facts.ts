import { AppError } from '../../errors.ts';
import type { Facts } from '../../rules/decision.ts';
import { describeMisfit, isValueOf } from '../../rules/lint/fact-misfit.ts';
import { ReadableFacts } from '../../rules/lint/readable-facts.ts';
import { suggest } from '../../rules/suggestion.ts';
import type { FactCatalogue } from '../../signals/fact-catalogue.ts';

/** Facts as somebody wrote them, by id; null is unknown. */
export type GivenFacts = Readonly<Record<string, unknown>>;

/** Mistakes told at once; whoever makes more has other facts in mind. */
const MOST_DETAILS = 20;
/** Of an id that is likened to others, in characters: that takes its length times theirs. */
const LONGEST_LIKENED = 100;

/**
 * Facts that the providers could have found: what was left out is unknown. Throws AppError `invalid_request`, with a detail for
 * each that no provider answers, has a value that it cannot have, or is left out and never unknown.
 */
export function readGivenFacts(given: GivenFacts, catalogue: FactCatalogue): Facts {
  const readable = new ReadableFacts(catalogue, new Map(), true);
  const details: { path: string; message: string }[] = [];
  const report = (id: string, message: string) => details.push({ path: `body/facts/${id}`, message });
  const facts: Record<string, Facts[string]> = {};
  for (const id of catalogue.facts.keys()) {
    const value = Object.hasOwn(given, id) ? given[id] : null;
    const fact = readable.find(id);
    if (!fact) continue;
    if (isValueOf(fact, value)) facts[id] = value;
    else report(id, describeMisfit(fact));
  }
  for (const id of Object.keys(given)) {
    if (catalogue.facts.has(id)) continue;
    if (details.length >= MOST_DETAILS) break;
    const near = id.length > LONGEST_LIKENED ? undefined : suggest(id, catalogue.facts.keys());
    report(id, `no provider answers this fact${near === undefined ? '' : `; did you mean ${near}?`}`);
  }
  if (details.length > 0) throw new AppError('invalid_request', { details: details.slice(0, MOST_DETAILS) });
  return facts;
}
