import type { FactValue } from '../../provider-kit/index.ts';
import type { Facts } from '../decision.ts';
import type { ProblemList } from '../problem.ts';
import { suggest } from '../suggestion.ts';
import type { Located } from '../yaml-document.ts';
import { describeMisfit, isValueOf } from './fact-misfit.ts';
import type { ReadableFacts } from './readable-facts.ts';

export interface FactsContext {
  readonly facts: ReadableFacts;
  readonly problems: ProblemList;
}

/** A mapping of facts to values, null where one is unknown; what does not fit is reported and left out. */
export function readFacts(given: Located, { facts, problems }: FactsContext): Facts {
  const read: Record<string, FactValue | null> = {};
  if (given.kind !== 'map') {
    problems.report('wrong_shape', given.place, '"facts" must be a mapping of facts to values');
    return read;
  }
  for (const [id, { keyPlace, value }] of given.entries) {
    const fact = facts.find(id);
    if (fact?.source !== 'provider') {
      problems.report(
        'unknown_fact',
        keyPlace,
        `no provider answers a fact "${id}"`,
        suggest(
          id,
          [...facts.names()].filter((name) => facts.find(name)?.source === 'provider'),
        ),
      );
    } else if (value.kind === 'scalar' && isValueOf(fact, value.value)) {
      read[id] = value.value;
    } else {
      problems.report('value_misfit', value.place, describeMisfit(fact));
    }
  }
  return read;
}
