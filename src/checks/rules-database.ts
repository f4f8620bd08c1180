import { LastAnswer } from '../lib/concurrency.ts';
import { messageOf } from '../lib/thrown.ts';
import { isoTime } from '../lib/time.ts';
import type { Clock } from '../provider-kit/index.ts';
import { digestOf, type RuleFiles } from '../rules/rule-files.ts';
import type { ChangeFeed } from '../storage/ports.ts';
import type { RuleVersion, RuleVersionStore } from '../storage/rule-ports.ts';
import { type PublishedRules, type Publishing, type RuleSource, RulesOvertaken } from './rule-source.ts';

interface RulesDatabaseOptions {
  readonly versions: Pick<RuleVersionStore, 'published' | 'publish' | 'filesOf'>;
  readonly clock: Clock;
  /** Null in commands, which watch nothing. */
  readonly feed: ChangeFeed | null;
}

/** Rules as versions in the database. Every instance decides by the one version that is published. */
export class RulesDatabase implements RuleSource {
  readonly name = 'the database';
  readonly isTransactional = true;
  readonly #lastFiles = new LastAnswer<RuleFiles>();

  constructor(private readonly options: RulesDatabaseOptions) {}

  async read(): Promise<PublishedRules> {
    const { versions } = this.options;
    try {
      const found = await versions.published();
      if (!found)
        return {
          files: null,
          faults: ['no rules are published yet: the first start of the service does it'],
        };
      const { version, digest } = found;
      // By the digest too: a restored backup may give the number of a version again.
      const key = `${version} ${digest}`;
      const files = await this.#lastFiles.of(key, 0, async () => (await versions.filesOf(version)) ?? {});
      return { dir: `version ${version}`, files, digest };
    } catch (error) {
      return { files: null, faults: [`the published rules cannot be read: ${messageOf(error)}`] };
    }
  }

  /** Always: a process that may write to the database may publish. */
  async isWritable(): Promise<boolean> {
    return true;
  }

  /** Rejects with AppError `unavailable` too, when the database is away. */
  async publish(before: RuleFiles, after: RuleFiles, { author, restores, hash }: Publishing): Promise<void> {
    const { versions, clock } = this.options;
    const found = await versions.published();
    if (found?.digest !== digestOf(before)) throw overtakenBy(found);
    const digest = digestOf(after);
    if (digest === found.digest) return;
    const reason = restores === null ? 'change' : 'rollback';
    const version = { hash, digest, reason, at: isoTime(clock.now()), author, restores } as const;
    if (!(await versions.publish(version, after, found.version))) {
      throw overtakenBy(await versions.published());
    }
  }

  async watch(onChange: () => void): Promise<() => void> {
    const end = this.options.feed?.subscribe(onChange);
    onChange();
    return () => end?.();
  }
}

function overtakenBy(found: RuleVersion | undefined): RulesOvertaken {
  const by = found?.author ? ` by ${found.author}` : '';
  const what = found
    ? `version ${found.version}${by} is published since ${found.at}, and this change was made of another`
    : 'no rules are published yet';
  return new RulesOvertaken(`${what}; nothing was written: try again`);
}

/**
 * The history for rules in the database: the last version in force is the published one; versions from when rules lay in a directory stay
 * in the list. Complaints are not stored: each instance tells its own in `/readyz` and `/metrics`, since another may have taken the set.
 */
export function publishedVersions(versions: RuleVersionStore): RuleVersionStore {
  return {
    ...versions,
    last: () => versions.published(),
    complain: async () => undefined,
    complaint: async () => undefined,
  };
}
