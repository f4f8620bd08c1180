import { AppError } from '../../errors.ts';
import {
  type Answer,
  type Ask,
  type Insights,
  InsightsBusy,
  InsightsTimeout,
  type QuestionKind,
} from '../../insights/questions.ts';

const RETRY_MS = 2_000;

/** Asks for a page. Throws AppError `busy` where too many ask at once, or reading takes too long. */
export async function askInsights<K extends QuestionKind>(
  insights: Insights,
  kind: K,
  question: Ask<K>,
  signal?: AbortSignal,
): Promise<Answer<K>> {
  try {
    return await insights.ask(kind, question, signal);
  } catch (cause) {
    if (cause instanceof InsightsBusy || cause instanceof InsightsTimeout) {
      throw new AppError('busy', { cause, retryAfterMs: RETRY_MS });
    }
    throw cause;
  }
}
