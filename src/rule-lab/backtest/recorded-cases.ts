import { readFacts } from '../../storage/kept-facts.ts';
import type { RecordedCheck } from '../../storage/ports.ts';
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
  const facts = readFacts(check);
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
