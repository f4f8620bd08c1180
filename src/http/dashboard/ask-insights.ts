import type { Person } from '../../accounts/people/person.ts';
import { AppError } from '../../errors.ts';
import {
  type Answer,
  type Ask,
  InsightsBusy,
  type InsightsQueries,
  InsightsTimeout,
  type QuestionKind,
} from '../../insights/insights-queries.ts';
import { ChildExited } from '../../jobs/child-dialogue.ts';

export const RETRY_MS = 2_000;

/** Who waits for the answer: a person, until it leaves. */
export interface Reader {
  readonly person: Pick<Person, 'id'>;
  readonly signal: AbortSignal;
  /** As `Asker` has it. */
  readonly goesOn?: boolean;
}

/** Asks for a page. Throws AppError `busy` where too many ask at once, reading takes too long, or what reads fell. */
export async function askInsights<K extends QuestionKind>(
  insights: InsightsQueries,
  kind: K,
  question: Ask<K>,
  { person, signal, goesOn }: Reader,
): Promise<Answer<K>> {
  try {
    return await insights.ask(kind, question, { personId: person.id, signal, goesOn });
  } catch (cause) {
    if (cause instanceof InsightsBusy) {
      throw new AppError('busy', { cause, retryAfterMs: RETRY_MS, details: [{ message: cause.message }] });
    }
    if (cause instanceof InsightsTimeout || cause instanceof ChildExited)
      throw new AppError('busy', { cause, retryAfterMs: RETRY_MS });
    throw cause;
  }
}
