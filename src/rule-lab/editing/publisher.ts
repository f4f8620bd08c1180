import type { RulesInForce } from '../../checks/active-policy.ts';
import { describeFailingTest } from '../../checks/rule-judge.ts';
import { type RuleSource, RulesNotWritten } from '../../checks/rule-source.ts';
import type { RulesReloader } from '../../checks/rules-reloader.ts';
import { AppError } from '../../errors.ts';
import { Mutex } from '../../lib/concurrency.ts';
import { isoTime } from '../../lib/dates.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { formatProblem } from '../../rules/problem.ts';
import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import type { RuleDraft, RuleVersion, RuleVersionStore } from '../../storage/rule-ports.ts';
import { publishRules, RulesReadOnly, restoreVersion } from '../versions/publish-rules.ts';
import type { RuleJobs, RuleTests } from './rule-jobs.ts';

export interface PublisherTools {
  readonly source: RuleSource;
  readonly jobs: Pick<RuleJobs, 'test' | 'patch'>;
  readonly versions: RuleVersionStore;
  readonly reloader: Pick<RulesReloader, 'changed' | 'idle' | 'complaint'>;
  readonly inForce: () => RulesInForce;
  readonly clock: Clock;
}

/** What became of files that were to be put in force. */
export type Published =
  | { readonly is: 'in_force'; readonly hash: string; readonly version: number | null }
  /** They lie in the directory, and the service goes on with what it had. */
  | { readonly is: 'refused'; readonly faults: readonly string[] }
  /** This process may not write there: a person who may applies this. */
  | { readonly is: 'patch'; readonly patch: string; readonly reason: string };

export type FileEdit = (files: RuleFiles) => Promise<RuleFiles>;

/** Puts rules in force by writing them where they are read, one after the other. */
export class Publisher {
  readonly #tools: PublisherTools;
  readonly #turns = new Mutex();

  constructor(tools: PublisherTools) {
    this.#tools = tools;
  }

  /**
   * Writes a draft of which this very revision was backtested against what is in force. Throws `backtest_required`, `rules_changed` when
   * the directory holds something else than the draft was made of, `rules_refused` and `rules_not_written`.
   */
  publish(draft: RuleDraft, author: string): Promise<Published> {
    return this.#turns.run(() => this.#publish(draft, author));
  }

  /**
   * Writes what `edit` makes of the files that lie in the directory; what it throws is thrown, and nothing is written. For what is
   * changed from day to day, such as lists: nothing is backtested. Throws as `publish` does.
   */
  change(edit: FileEdit, author: string): Promise<Published> {
    return this.#turns.run(() => this.#change(edit, author));
  }

  /** Writes the files of a version back. Throws `rules_changed` when the directory cannot be read, `rules_refused` and `rules_not_written`. */
  rollBack(version: RuleVersion, author: string, keepLists: boolean): Promise<Published> {
    return this.#turns.run(() => this.#rollBack(version, author, keepLists));
  }

  async #publish({ files, base, backtest, revision }: RuleDraft, author: string): Promise<Published> {
    const { source, inForce, jobs } = this.#tools;
    if (backtest?.revision !== revision || backtest.base !== inForce().hash) {
      throw new AppError('backtest_required');
    }
    const disk = await source.read();
    if (!disk.files) throw new AppError('rules_changed', { details: faults(disk.faults) });
    if (disk.digest !== base.digest && disk.digest !== digestOf(files)) {
      const diff = await jobs.patch({ before: base.files, after: disk.files });
      throw new AppError('rules_changed', { details: [{ diff }] });
    }
    return this.#write(disk.files, files, author);
  }

  async #change(edit: FileEdit, author: string): Promise<Published> {
    const disk = await this.#tools.source.read();
    if (!disk.files) throw new AppError('rules_changed', { details: faults(disk.faults) });
    return this.#write(disk.files, await edit(disk.files), author);
  }

  async #write(before: RuleFiles, after: RuleFiles, author: string): Promise<Published> {
    const { source, jobs, versions } = this.#tools;
    const reasons = refusalOf(await jobs.test(after));
    if (reasons.length > 0) throw new AppError('rules_refused', { details: faults(reasons) });
    return this.#bring(async () => {
      await publishRules(source, versions, { before, after, author, restores: null });
      return digestOf(after);
    });
  }

  async #rollBack(version: RuleVersion, author: string, keepLists: boolean): Promise<Published> {
    const { source, versions, jobs, clock } = this.#tools;
    const assess = async (files: RuleFiles) => {
      const tests = await jobs.test(files);
      return { faults: refusalOf(tests), hash: tests.hash };
    };
    const now = () => isoTime(clock.now());
    return this.#bring(async () => {
      const tools = { source, versions, assess, now };
      const restored = await restoreVersion(version, { author, keepLists }, tools);
      if (restored.is === 'done') return restored.digest;
      const code = restored.is === 'unreadable' ? 'rules_changed' : 'rules_refused';
      throw new AppError(code, { details: faults(restored.faults) });
    });
  }

  /** Waits until the service has taken what was written, or has said why not. `write` answers the digest of what should be there. */
  async #bring(write: () => Promise<string>): Promise<Published> {
    let target: string;
    try {
      target = await write();
    } catch (error) {
      if (error instanceof RulesReadOnly) {
        // Not the error itself: on its way to another process it would lose the files.
        const { before, after, message } = error;
        return { is: 'patch', patch: await this.#tools.jobs.patch({ before, after }), reason: message };
      }
      if (!(error instanceof RulesNotWritten)) throw error;
      throw new AppError('rules_not_written', { details: [{ fault: error.message }], cause: error });
    }
    const { reloader, inForce, versions } = this.#tools;
    reloader.changed();
    await reloader.idle();
    const { digest, hash } = inForce();
    if (digest !== target) {
      return { is: 'refused', faults: reloader.complaint?.faults ?? ['the service has not taken the files'] };
    }
    const last = await versions.last();
    return { is: 'in_force', hash, version: last?.digest === digest ? last.version : null };
  }
}

/** Why rules must not be put in force, one sentence each. */
export function refusalOf({ problems, failing, breaches }: RuleTests): readonly string[] {
  return [
    ...problems.map(formatProblem),
    ...failing.map(describeFailingTest),
    ...breaches.map(
      ({ group, fact, value, pointsWithout, pointsWith }) =>
        `without ${fact} the group ${group} counts ${pointsWithout}, with ${fact} ${value} ${pointsWith}: a failed look-up would raise the score`,
    ),
  ];
}

function faults(texts: readonly string[]): readonly { readonly fault: string }[] {
  return texts.map((fault) => ({ fault }));
}
