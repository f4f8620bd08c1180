import type { Facts } from '../rules/decision.ts';
import type { RecordedCheck } from '../storage/ports.ts';
import type { Case } from './case.ts';

/** Makes cases of recorded checks: both sides decide on what was recorded. */
export async function* recordedCases(
  pages: AsyncIterable<readonly RecordedCheck[]>,
): AsyncGenerator<Iterable<Case>> {
  for await (const page of pages) yield casesOf(page);
}

function* casesOf(page: readonly RecordedCheck[]): Generator<Case> {
  for (const check of page) yield caseOf(check);
}

function caseOf(check: RecordedCheck): Case {
  const facts = factsOf(check);
  return {
    id: check.id,
    createdAt: check.created_at,
    domain: check.domain,
    label: check.label,
    facts,
    candidateFacts: facts,
    recorded: {
      // The table takes only what was decided.
      action: check.action as 'ALLOW' | 'BLOCK',
      score: check.risk_score,
      level: check.risk_level as 'low' | 'medium' | 'high',
      ruleset: check.ruleset,
    },
  };
}

function factsOf({ id, facts }: RecordedCheck): Facts {
  try {
    return JSON.parse(facts);
  } catch (error) {
    throw new Error(`the facts of the check ${id} cannot be read: ${String(error)}`);
  }
}
