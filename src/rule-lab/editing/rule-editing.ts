import type { InjectionToken } from '../../di.ts';
import { AppError } from '../../errors.ts';
import type { Asking } from '../../jobs/job-queue.ts';
import { FACT_MAKERS } from '../../rules/compile.ts';
import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import type { Doer, RuleDraft, RuleVersion } from '../../storage/rule-ports.ts';
import { versionsMeant } from '../versions/rule-versions.ts';
import { Drafts } from './drafts.ts';
import type { Flip } from './list-flips.ts';
import { NamedLists } from './named-lists.ts';
import { OwnLists } from './own-lists.ts';
import { Publisher } from './publisher.ts';
import type { RuleEditingParts } from './rule-jobs.ts';

/** How long flips are cached: as long as a person reads a page. After that, new records are worth another look. */
const FLIPS_KEPT_MS = 60_000;

/** All that people do with rules: try, save, publish, look back and go back. */
export class RuleEditing {
  readonly drafts: Drafts;
  readonly lists: OwnLists;
  readonly namedLists: NamedLists;
  readonly publisher: Publisher;
  #lastFlips: { readonly key: string; readonly flips: readonly Flip[] } | undefined;
  #forgetting: NodeJS.Timeout | undefined;

  constructor(readonly parts: RuleEditingParts) {
    this.drafts = new Drafts(parts);
    this.publisher = new Publisher(parts);
    this.lists = new OwnLists({ ...parts, publisher: this.publisher });
    this.namedLists = new NamedLists({ ...parts, publisher: this.publisher });
  }

  /** The checks that a draft or version answers otherwise than the rules in force, the newest first. Throws `not_found`, `rules_refused`. */
  async flipsOf(word: string, days: number, asking: Asking): Promise<readonly Flip[]> {
    const order = { base: this.parts.inForce().files, candidate: await this.filesOf(word), days };
    // All pages are asked for of the same list.
    const key = [digestOf(order.base), digestOf(order.candidate), days].join(' ');
    if (this.#lastFlips?.key !== key) {
      this.#lastFlips = { key, flips: await this.parts.jobs.flips(order, asking) };
      clearTimeout(this.#forgetting);
      this.#forgetting = setTimeout(() => {
        this.#lastFlips = undefined;
      }, FLIPS_KEPT_MS).unref();
    }
    return this.#lastFlips.flips;
  }

  /** Begins a draft of the challenger's files. Throws `not_found` without one, and `challenger_changed` where its hash is another. */
  async draftOfChallenger(author: Doer, hash: string): Promise<RuleDraft> {
    const { challenger, inForce } = this.parts;
    const tried = challenger();
    if (tried === null) throw new AppError('not_found');
    if (tried.hash !== hash) throw new AppError('challenger_changed');
    const { files, digest } = inForce();
    return this.drafts.create(author, {
      proposedName: `Challenger ${hash.slice(0, 8)}`,
      files: promotionOf(tried.files, files),
      baseDigest: digest,
    });
  }

  /** Publishes a draft, and discards it once it is in force; a revision that was saved meanwhile stays. */
  async publish(draft: RuleDraft, author: string) {
    const published = await this.publisher.publish(draft, author);
    if (published.is === 'in_force') await this.parts.store.discard(draft.id, draft.revision);
    return published;
  }

  /** The version of a number, or of a hash or its beginning. Throws `not_found`. */
  async version(word: string): Promise<RuleVersion> {
    // An ambiguous word names no version.
    const [found, ...others] = versionsMeant(await this.parts.versions.list(), word);
    if (!found || others.length > 0) throw new AppError('not_found');
    return found;
  }

  /** The files of `in_force`, of a draft `drf_…`, or of a version. Throws `not_found`. */
  async filesOf(word: string): Promise<RuleFiles> {
    if (word === 'in_force') return this.parts.inForce().files;
    if (word.startsWith('drf_')) return (await this.drafts.find(word)).files;
    const { version } = await this.version(word);
    return (await this.parts.versions.filesOf(version)) ?? {};
  }

  close(): void {
    this.parts.jobs.close();
  }
}

/** What people do with rules. Bound at the first request to the dashboard. */
export const RULE_EDITING: InjectionToken<RuleEditing> = Symbol('RuleEditing');

const isTest = (path: string) => path.startsWith('tests/');

/**
 * The changes that promote a challenger to the files in force; null deletes a file. Files that make facts stay as they are, for the
 * challenger saw the facts that they make; so do the tests, where the challenger has none of its own.
 */
export function promotionOf(
  challenger: RuleFiles,
  inForce: RuleFiles,
): Readonly<Record<string, string | null>> {
  const hasTests = Object.keys(challenger).some(isTest);
  const stays = (path: string) => FACT_MAKERS.includes(path) || (isTest(path) && !hasTests);
  const gone = Object.keys(inForce).filter((path) => !stays(path) && !Object.hasOwn(challenger, path));
  const put = Object.entries(challenger).filter(([path]) => !stays(path));
  return { ...Object.fromEntries(gone.map((path) => [path, null])), ...Object.fromEntries(put) };
}
