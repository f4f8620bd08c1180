import { faultsOf } from '../../checks/rule-judge.ts';
import {
  type PublishedFiles,
  type RuleSource,
  RulesNotWritten,
  RulesOvertaken,
} from '../../checks/rule-source.ts';
import { AppError } from '../../errors.ts';
import { Mutex } from '../../lib/concurrency.ts';
import { isoTime } from '../../lib/time.ts';
import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import { RETRY_MS } from '../../storage/commit-queue.ts';
import type { RuleDraft, RuleVersion } from '../../storage/rule-ports.ts';
import { type Publication, prepareRestoring, publishRules } from '../versions/rule-versions.ts';
import type { RuleEditingParts, RuleTests } from './rule-jobs.ts';

export type Published =
  | { readonly is: 'in_force'; readonly ruleset: string; readonly version: number | null }
  /** The rules are published, but the service did not take them and keeps what it had. */
  | { readonly is: 'refused'; readonly faults: readonly string[] }
  /** This process may not write to the source: a person who may must apply the patch. */
  | { readonly is: 'patch'; readonly patch: string; readonly reason: string };

/** Puts rules in force by writing them to their source, one publication at a time. */
export class Publisher {
  readonly #mutex = new Mutex();

  constructor(
    private readonly tools: Omit<RuleEditingParts, 'catalogue' | 'store' | 'challenger' | 'hashAddress'>,
  ) {}

  /**
   * Publishes a draft whose present revision was backtested against the rules in force, else throws `backtest_required`. Throws
   * `rules_changed` when other rules are published than the draft was made of, `rules_refused` and `rules_not_written`.
   */
  publish({ files, base, backtest, revision }: RuleDraft, author: string): Promise<Published> {
    return this.#mutex.run(async () => {
      const { inForce } = this.tools;
      if (backtest?.revision !== revision || backtest.base !== inForce().hash) {
        throw new AppError('backtest_required');
      }
      const disk = await readPublished(this.tools.source);
      if (disk.digest !== base.digest && disk.digest !== digestOf(files)) {
        throw await this.#changed(base.files, disk);
      }
      return this.#testAndWrite(disk.files, files, author);
    });
  }

  /**
   * Publishes the files that `edit` makes of the published ones. An error of `edit` is thrown on, and nothing is written. For everyday
   * changes, such as lists: no backtest is needed. Throws as `publish` does.
   */
  change(edit: (files: RuleFiles) => Promise<RuleFiles>, author: string): Promise<Published> {
    return this.#mutex.run(async () => {
      const { files } = await readPublished(this.tools.source);
      return this.#testAndWrite(files, { ...files, ...(await edit(files)) }, author);
    });
  }

  /** Writes the files of a version back. Throws `rules_changed` when what is published cannot be read, `rules_refused` and `rules_not_written`. */
  rollBack(version: RuleVersion, author: string, keepLists: boolean): Promise<Published> {
    const { source, versions, jobs, clock } = this.tools;
    const assess = async (files: RuleFiles) => {
      const tests = await jobs.test(files);
      return { faults: refusalOf(tests), hash: tests.hash };
    };
    const now = () => isoTime(clock.now());
    return this.#mutex.run(async () => {
      const found = await prepareRestoring(version, keepLists, { source, versions, assess, now });
      if (found.is === 'unreadable') throw new AppError('rules_changed', { details: faults(found.faults) });
      if (found.is === 'refused') throw new AppError('rules_refused', { details: faults(found.faults) });
      const { before, after, hash, changes } = found;
      if (changes.length === 0) return this.#awaitReload(digestOf(after));
      return this.#write({ before, after, hash, author, restores: version.version });
    });
  }

  /** The error with the difference between `before` and what is published now. */
  async #changed(before: RuleFiles, { files: after }: PublishedFiles): Promise<AppError> {
    const diff = await this.tools.jobs.patch({ before, after });
    return new AppError('rules_changed', { details: [{ diff }] });
  }

  async #testAndWrite(before: RuleFiles, after: RuleFiles, author: string): Promise<Published> {
    const tests = await this.tools.jobs.test(after);
    const reasons = refusalOf(tests);
    if (reasons.length > 0) throw new AppError('rules_refused', { details: faults(reasons) });
    return this.#write({ before, after, hash: tests.hash, author, restores: null });
  }

  async #write(publication: Publication): Promise<Published> {
    const { source, versions, jobs } = this.tools;
    const { before, after } = publication;
    try {
      await publishRules(source, versions, publication);
    } catch (error) {
      if (!(error instanceof RulesNotWritten)) throw error;
      if (error instanceof RulesOvertaken) throw await this.#changed(before, await readPublished(source));
      const { message, isReadOnly } = error;
      if (isReadOnly) return { is: 'patch', patch: await jobs.patch({ before, after }), reason: message };
      const details = faults([message]);
      throw new AppError('rules_not_written', { details, cause: error, retryAfterMs: RETRY_MS });
    }
    return this.#awaitReload(digestOf(after));
  }

  /** Waits until the service has taken the files with the digest `target`, or has said why not. */
  async #awaitReload(target: string): Promise<Published> {
    const { source, reloader, inForce, versions } = this.tools;
    reloader.changed();
    await reloader.idle();
    const { digest, hash } = inForce();
    const last = await versions.last();
    if (digest !== target) {
      const isOvertaken = source.isTransactional && last?.digest !== target;
      const why = isOvertaken
        ? `version ${last?.version} was published right after it`
        : 'the service has not taken the files';
      return { is: 'refused', faults: reloader.complaint?.faults ?? [why] };
    }
    return { is: 'in_force', ruleset: hash, version: last?.digest === digest ? last.version : null };
  }
}

/** Throws `rules_changed` where what is published cannot be read. */
export async function readPublished(source: Pick<RuleSource, 'read'>): Promise<PublishedFiles> {
  const published = await source.read();
  if (published.files) return published;
  throw new AppError('rules_changed', { details: faults(published.faults) });
}

/** Why rules must not be put in force, one sentence each. */
export function refusalOf({ problems, failing, breaches }: RuleTests): readonly string[] {
  return [
    ...faultsOf({ problems, failing }),
    ...breaches.map(
      ({ group, fact, value, pointsWithout, pointsWith }) =>
        `without ${fact} the group ${group} counts ${pointsWithout}, with ${fact} ${value} ${pointsWith}: a failed look-up would raise the score`,
    ),
  ];
}

function faults(texts: readonly string[]): readonly { readonly fault: string }[] {
  return texts.map((fault) => ({ fault }));
}
