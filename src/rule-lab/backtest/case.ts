import type { Label } from '../../labels/label.ts';
import type { Action, Facts, Level } from '../../rules/decision.ts';
import type { RecordedCheck } from '../../storage/ports.ts';

/** A signup that two rule sets are judged by. */
export interface Case {
  /** `chk_…`, or the line of a file: `signups.csv:12`. */
  readonly id: string;
  /** ISO 8601, UTC; null where it is not known. */
  readonly createdAt: string | null;
  /** Null where records keep none. */
  readonly domain: string | null;
  /** Null where it is unlabelled. */
  readonly label: Label | null;
  /** What the rules in force decide on; one that is missing is unknown. */
  readonly facts: Facts;
  /** What the candidate decides on: the same object, unless its signals.yaml makes other facts of the same address. */
  readonly candidateFacts: Facts;
  /** What was answered then; null for a row of a file. */
  readonly recorded: RecordedOutcome | null;
}

/**
 * Cases as they are read, batch by batch, each batch gone through once. A batch may make its cases one by one: facts that are
 * dropped before the next are made cost a third of those that are kept for a batch.
 */
export type CaseBatches = AsyncIterable<Iterable<Case>>;

interface RecordedOutcome {
  readonly action: Action;
  readonly score: number;
  readonly level: Level;
  /** The hash of the set that decided. */
  readonly ruleset: string;
}

/** Makes cases of recorded checks: both sides decide on what was recorded. */
export async function* recordedCases(
  pages: AsyncIterable<readonly RecordedCheck[]>,
): AsyncGenerator<Iterable<Case>> {
  for await (const page of pages) yield casesOf(page);
}

function* casesOf(page: readonly RecordedCheck[]): Generator<Case> {
  for (const check of page) yield caseOf(check);
}

/** For messages. */
export const FACTS = 'facts of the check';

/** A JSON column of a recorded check. Throws an Error that names the check whose text is no JSON. */
export function parseColumn<Value>({ id }: { readonly id: string }, text: string, what = 'record of'): Value {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the ${what} ${id} cannot be read: ${String(error)}`);
  }
}

function caseOf(check: RecordedCheck): Case {
  const facts = parseColumn<Facts>(check, check.facts, FACTS);
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

/** Sides of a backtest: the rules in force, and those that may take their place. */
const SIDES = ['base', 'candidate'] as const;

export type Side = (typeof SIDES)[number];

export type BySide<Value> = Readonly<Record<Side, Value>>;

/** How many cases, by what became of them. */
export interface Counts {
  good: number;
  bad: number;
  unlabelled: number;
}
