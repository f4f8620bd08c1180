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

export interface StoredLabel extends NewLabel {
  readonly accountId: string;
  /** Recorded live checks that it is for, those included that have a label of their own. */
  readonly checks: number;
}

/** What became of labels that were put in place; each is one of these. */
export interface LabelChanges {
  /** The subject had none. */
  readonly added: number;
  /** The subject had the other one. */
  readonly changed: number;
  /** The subject had it already; given at a later time, it is from then on of that time, source and author. */
  readonly same: number;
  /** The subject has the other one, and that was given later: it stays. */
  readonly older: number;
  /** Of checks that are not on record in the account, or are of a test key: not stored. */
  readonly absent: number;
}

export interface LabelSummary {
  /** Labels. */
  readonly good: number;
  readonly bad: number;
  /** Recorded live checks that have one, their own or their person's. */
  readonly checks: number;
}

/** What became of signups: at most one label for each check and for each person, within an account. */
export interface LabelStore {
  /**
   * Puts them in place; of one subject the label that was given last stands. No subject may be twice among them.
   * `recordedAt` is now, for `deleteIdle`. Ten thousand are stored together or not at all; more in several steps, so that
   * checks are recorded meanwhile, and `onProgress` is called after each. Rejects with `AppError unavailable`; to put them again then stores what is missing.
   */
  put(
    accountId: string,
    labels: Iterable<NewLabel>,
    recordedAt: string,
    onProgress?: (labelsMore: number) => void,
  ): Promise<LabelChanges>;
  /** What `put` would do; stores nothing. */
  weigh(accountId: string, labels: Iterable<NewLabel>): Promise<LabelChanges>;
  /** How many recorded live checks of the account each subject is, in the order of the subjects. */
  reach(accountId: string, subjects: readonly LabelSubject[]): Promise<readonly number[]>;
  /** Those given last first; of all accounts when none is named. */
  list(accountId: string | undefined, limit: number): Promise<readonly StoredLabel[]>;
  summarize(accountId?: string): Promise<LabelSummary>;
  /** Takes the labels of these subjects off, all together or none; returns how many had one in the account. */
  remove(accountId: string, subjects: readonly LabelSubject[]): Promise<number>;
  /** Deletes labels of persons that came before the instant and are for no check any more; returns how many. Ends after a batch when `signal` is aborted. */
  deleteIdle(recordedBefore: string, signal?: AbortSignal): Promise<number>;
}

/** What became of signups. */
export const LABEL_STORE: InjectionToken<LabelStore> = Symbol('LabelStore');
