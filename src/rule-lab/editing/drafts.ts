import { AppError } from '../../errors.ts';
import { Mutex } from '../../lib/concurrency.ts';
import { compareKeys } from '../../lib/text.ts';
import { isoTime } from '../../lib/time.ts';
import { createUlids } from '../../lib/ulids.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { Doer, RuleDraft } from '../../storage/rule-ports.ts';
import { totalOf } from '../backtest/tally.ts';
import type { ReplayAnswer, ReplayOrder } from './in-process-rule-jobs.ts';
import type { RuleEditingParts } from './rule-jobs.ts';

/** By path: the new text, or null to delete the file. */
type FileChanges = Readonly<Record<string, string | null>>;

/** `domain.yaml`, `tests/domain.yaml` or `lists/partners.txt`; no path that leads out of the directory or that a reading would skip. */
const RULE_PATH =
  /^(?:(?:tests\/|lists\/)?[A-Za-z0-9_][A-Za-z0-9._-]{0,99}\.yaml|lists\/[A-Za-z0-9_][A-Za-z0-9._-]{0,99}\.txt)$/;
/** The most that a rules directory holds in total; a long deny list has some hundred thousand octets. */
const MOST_OCTETS = 4_000_000;
const MOST_FILES = 200;
/** Faults told at once. */
const MOST_DETAILS = 20;

/** The files with the changes in them, by path. Throws `invalid_request` for a path or a size that no rules directory has. */
export function changeFiles(before: RuleFiles, changes: FileChanges): RuleFiles {
  const faults = Object.keys(changes)
    .filter((path) => !RULE_PATH.test(path))
    .map((path) => ({
      path: `body/files/${path}`,
      message:
        'is no rule file: name.yaml, tests/name.yaml, lists/name.yaml or lists/name.txt, of letters, digits, - and _',
    }));
  if (faults.length > 0) throw new AppError('invalid_request', { details: faults.slice(0, MOST_DETAILS) });
  const kept = Object.entries(before).filter(([path]) => !Object.hasOwn(changes, path));
  const put = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null);
  const files = [...kept, ...put].sort(compareKeys);
  const octets = files.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
  if (files.length > MOST_FILES || octets > MOST_OCTETS) {
    throw new AppError('invalid_request', {
      details: [
        { path: 'body/files', message: `are more than ${MOST_FILES} files or ${MOST_OCTETS} octets` },
      ],
    });
  }
  return Object.fromEntries(files);
}

type DraftTools = Pick<RuleEditingParts, 'jobs' | 'store' | 'versions' | 'inForce' | 'clock'>;

export interface DraftChange {
  readonly name?: string | undefined;
  /** The name of a new draft without `name`; a number is added where it is taken. */
  readonly proposedName?: string | undefined;
  readonly files?: FileChanges | undefined;
  /**
   * The digest of the rules that the files are made of. For a new draft: the rules in force where it is left out. For a saved draft: the
   * rules that were merged into the files, which are the draft's base from then on.
   */
  readonly baseDigest?: string | undefined;
}

/** Drafts of rules. Each save names the revision that it was made from, so that no save overwrites another person's. */
export class Drafts {
  readonly #nextId = createUlids();
  /** Checks the names of other drafts and writes, with no other write in between. */
  readonly #naming = new Mutex();

  constructor(private readonly tools: DraftTools) {}

  /** Throws `not_found`. */
  async find(id: string): Promise<RuleDraft> {
    const draft = await this.tools.store.find(id);
    if (draft) return draft;
    throw new AppError('not_found');
  }

  /** Throws `not_found`, and `draft_changed` when it is of another revision by now. */
  async at(id: string, revision: number): Promise<RuleDraft> {
    const draft = await this.find(id);
    if (draft.revision !== revision) throw changed(draft);
    return draft;
  }

  /**
   * Begins a draft of the rules in force, or of `baseDigest`, with these changes. Without a name it has its author's, with a number where
   * that is taken. Throws `name_taken`, and `rules_changed` when the rules of `baseDigest` were never in force.
   */
  async create(author: Doer, change: DraftChange): Promise<RuleDraft> {
    const { name, proposedName = `of ${author.name}`, files = {} } = change;
    const base = await this.baseOf(change.baseDigest);
    return this.#naming.run(async () => {
      const { store, clock } = this.tools;
      const taken = await this.#namesOfOthers();
      if (name !== undefined) requireFree(name, taken);
      const at = this.#now();
      const draft: RuleDraft = {
        id: `drf_${this.#nextId(clock.now())}`,
        name: name ?? freeName(proposedName, taken),
        author,
        createdAt: at,
        savedBy: author,
        savedAt: at,
        revision: 1,
        base,
        files: changeFiles(base.files, files),
        backtest: null,
      };
      await store.create(draft);
      return draft;
    });
  }

  /** Throws `draft_changed`, `name_taken`, and `rules_changed` when the rules that were merged into it were never in force. */
  async save(id: string, revision: number, by: Doer, change: DraftChange): Promise<RuleDraft> {
    const { baseDigest } = change;
    const draft = await this.at(id, revision);
    const { name = draft.name } = change;
    const base = baseDigest === undefined ? draft.base : await this.baseOf(baseDigest);
    const files = changeFiles(draft.files, change.files ?? {});
    return this.#naming.run(async () => {
      // A name that stays is not checked: older drafts could share one.
      if (name !== draft.name) requireFree(name, await this.#namesOfOthers(id));
      const saved = {
        ...draft,
        name,
        base,
        files,
        revision: revision + 1,
        savedBy: by,
        savedAt: this.#now(),
      };
      if (await this.tools.store.save(saved)) return saved;
      throw changed(await this.find(id));
    });
  }

  /**
   * Backtests the saved draft against the rules in force, the step before publishing. Notes the result in the draft, for this revision.
   * Throws `draft_changed` when the draft has another revision by the end.
   */
  async backtest(
    { id, revision, files }: RuleDraft,
    by: Doer,
    how: Pick<ReplayOrder, 'days' | 'costRatio'>,
  ): Promise<ReplayAnswer> {
    const { jobs, inForce, store } = this.tools;
    const order = { base: inForce().files, candidate: files, ...how };
    const answer = await jobs.replay(order, { asker: by.id });
    if ('problems' in answer) return answer;
    const { rule_sets: sets, corpus, flips } = answer.replay;
    const isNoted = await store.noteBacktest(id, {
      revision,
      base: sets.base,
      candidate: sets.candidate,
      at: this.#now(),
      by: by.name,
      checks: corpus.checks,
      toBlock: totalOf(flips.to_block.counts),
      toAllow: totalOf(flips.to_allow.counts),
    });
    if (!isNoted) throw changed(await this.find(id));
    return answer;
  }

  /** Throws `not_found`. */
  async discard(id: string): Promise<void> {
    if (!(await this.tools.store.discard(id))) throw new AppError('not_found');
  }

  /** The rules in force, or those of this digest. Throws `rules_changed` when these were never in force. */
  async baseOf(digest?: string): Promise<RuleDraft['base']> {
    const { versions, inForce } = this.tools;
    const now = inForce();
    if (digest === undefined || digest === now.digest) return now;
    const version = (await versions.list()).find((one) => one.digest === digest && one.hash !== null);
    const files = version && (await versions.filesOf(version.version));
    if (!files) throw new AppError('rules_changed');
    return { hash: version.hash ?? '', digest, files };
  }

  async #namesOfOthers(id?: string): Promise<ReadonlySet<string>> {
    const drafts = await this.tools.store.list();
    return new Set(drafts.filter((draft) => draft.id !== id).map(({ name }) => spoken(name)));
  }

  #now(): string {
    return isoTime(this.tools.clock.now());
  }
}

/** Equal for names that a person would read as the same. */
function spoken(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

function requireFree(name: string, taken: ReadonlySet<string>): void {
  if (taken.has(spoken(name))) throw new AppError('name_taken');
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name} ${number}`;
    if (!taken.has(spoken(numbered))) return numbered;
  }
}

function changed({ revision, savedBy, savedAt }: RuleDraft): AppError {
  return new AppError('draft_changed', {
    details: [{ revision, saved_by: savedBy.name, saved_at: savedAt }],
  });
}
