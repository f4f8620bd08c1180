import type { Label } from '../../labels/label.ts';
import type { Action, Facts, Level } from '../../rules/decision.ts';

/** A signup that two rule sets are judged by. */
export interface Case {
  /** `chk_…`, or the line of a file: `signups.csv:12`. */
  readonly id: string;
  /** ISO 8601, UTC; null where nobody knows. */
  readonly createdAt: string | null;
  /** Null where records keep none. */
  readonly domain: string | null;
  /** Null where nobody has told. */
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

export interface RecordedOutcome {
  readonly action: Action;
  readonly score: number;
  readonly level: Level;
  /** The hash of the set that decided. */
  readonly ruleset: string;
}
