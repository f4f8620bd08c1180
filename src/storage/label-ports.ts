import type { InjectionToken } from '../di.ts';
import type { Label } from '../labels/label.ts';

/** What a label is given to: one check, or all checks of a person, by the hash that records hold. */
export type LabelSubject = { readonly checkId: string } | { readonly addressHmac: string };

export interface NewLabel {
  readonly subject: LabelSubject;
  readonly label: Label;
  /** The name of a file, or another text that says where it came from. */
  readonly source: string;
  /** Who gave it; null where that is not known. */
  readonly author: string | null;
  /** ISO 8601, UTC, milliseconds: when it was given. */
  readonly labelledAt: string;
}

/** Where a person decides of a label that a page shows. */
export interface Shown {
  /** A subject that has another label by now keeps it. Without `was` nothing is compared. */
  readonly was?: Label | 'none' | undefined;
}

export interface StoredLabel extends NewLabel {
  readonly accountId: string;
  /** How many recorded live checks the label is for, those included that have a label of their own. */
  readonly checks: number;
}

/** What became of the labels that were put: each label is counted in exactly one of these. */
export interface LabelChanges {
  /** The subject had no label. */
  readonly added: number;
  /** The subject had the other label. */
  readonly changed: number;
  /** The subject had this label already. Where it is now given at a later time, time, source and author are replaced. */
  readonly same: number;
  /** The subject has the other label, which was given later or is not the one that was shown: that one stays. */
  readonly older: number;
  /** Not stored: the check is not on record in the account, or is of a test key. */
  readonly absent: number;
}

export interface LabelSummary {
  readonly good: number;
  readonly bad: number;
  /** Recorded live checks that have one, their own or their person's. */
  readonly checks: number;
}

/** What became of signups: at most one label for each check and for each person, within an account. */
export interface LabelStore {
  /**
   * Stores the labels; a subject keeps the label that was given last. Rejects where a subject is twice among them. `recordedAt` is
   * now, for `deleteIdle`. Up to ten thousand are stored together or not at all; more in several steps, so that checks are
   * recorded meanwhile; `onProgress` is called after each. Rejects with `AppError unavailable`; to put them again stores what is missing.
   */
  put(
    accountId: string,
    labels: Iterable<NewLabel & Shown>,
    recordedAt: string,
    onProgress?: (labelsMore: number) => void,
  ): Promise<LabelChanges>;
  /** Answers as `put` would; stores nothing. */
  weigh(accountId: string, labels: Iterable<NewLabel>): Promise<LabelChanges>;
  /** How many recorded live checks of the account each subject covers, in the order of the subjects. */
  reach(accountId: string, subjects: readonly LabelSubject[]): Promise<readonly number[]>;
  /** The labels given last first; of all accounts when none is named. */
  list(accountId: string | undefined, limit: number): Promise<readonly StoredLabel[]>;
  summarize(accountId?: string): Promise<LabelSummary>;
  /**
   * Deletes the labels of these subjects, all together or none. `removed`: how many subjects had one in the account that is deleted;
   * `left`: how many have another than was shown, and keep it.
   */
  remove(
    accountId: string,
    subjects: readonly (LabelSubject & Shown)[],
  ): Promise<{ readonly removed: number; readonly left: number }>;
  /** Deletes labels of people that were recorded before the instant and cover no check any more; returns how many. Ends after a batch when `signal` is aborted. */
  deleteIdle(recordedBefore: string, signal?: AbortSignal): Promise<number>;
}

/** What became of signups. */
export const LABEL_STORE: InjectionToken<LabelStore> = Symbol('LabelStore');
