import type { Facts } from '../rules/decision.ts';
import type { RecordedCheck } from '../storage/ports.ts';
import type { Case } from './case.ts';

/** Makes cases of recorded checks. Facts that a rule reads and a record does not have are unknown, and counted. */
export class RecordedCases {
  readonly #wanted: readonly string[];
  /** By fact, in how many records it is missing. */
  readonly missing = new Map<string, number>();

  /** `wanted`: the facts that the rules of either set read. */
  constructor(wanted: Iterable<string>) {
    this.#wanted = [...wanted];
  }

  async *of(pages: AsyncIterable<readonly RecordedCheck[]>): AsyncGenerator<readonly Case[]> {
    for await (const page of pages) yield page.map((check) => this.#caseOf(check));
  }

  #caseOf(check: RecordedCheck): Case {
    const facts = this.#factsOf(check);
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

  #factsOf({ id, facts: text }: RecordedCheck): Facts {
    let facts: Record<string, Facts[string]>;
    try {
      facts = JSON.parse(text);
    } catch (error) {
      throw new Error(`the facts of the check ${id} cannot be read: ${String(error)}`);
    }
    for (const fact of this.#wanted) {
      if (facts[fact] !== undefined) continue;
      facts[fact] = null;
      this.missing.set(fact, (this.missing.get(fact) ?? 0) + 1);
    }
    return facts;
  }
}
