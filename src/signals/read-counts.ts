import { COUNT_WINDOWS, type Count, type SignalProvider } from '../provider-kit/index.ts';
import { ignoreRejection } from './read-answer.ts';

/** More counts than these a provider cannot have. */
const MOST_COUNTS = 16;

/** What a provider was told that it counts otherwise than it may; for the log. */
export const NO_COUNTS = `counts what is no count of its facts, or more than ${MOST_COUNTS}`;

/** What a provider counts a check under; undefined where its answer is no list of counts of its facts. Throws what the answer throws as it is read. */
export function readCounts(provider: SignalProvider, candidate: unknown): readonly Count[] | undefined {
  ignoreRejection(candidate);
  if (!Array.isArray(candidate) || candidate.length > MOST_COUNTS) return undefined;
  const read = candidate.map((count: Partial<Count> | null) => ({ ...count }));
  return read.every((count) => isCount(count, provider)) ? read : undefined;
}

function isCount(count: Partial<Count>, provider: SignalProvider): count is Count {
  const { text, facts, distinct = '' } = count;
  const shown = Object.entries(facts ?? {});
  const isShown = ([fact, window]: (typeof shown)[number]) =>
    COUNT_WINDOWS.includes(window) && provider.facts.some(({ id }) => id === fact);
  return typeof text === 'string' && typeof distinct === 'string' && shown.length > 0 && shown.every(isShown);
}
