import type { RulesKeeper } from '../../checks/rules-keeper.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { Problem } from '../../rules/problem.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { FactCatalogue } from '../../signals/fact-catalogue.ts';
import type { Doer, RuleDraft, RuleDraftStore } from '../../storage/rule-draft-store.ts';
import type { RuleVersion, RuleVersionStore } from '../../storage/rule-version-store.ts';
import { AmbiguousVersion, findVersion } from '../versions/find-version.ts';
import { backtestDraft } from './backtest-draft.ts';
import { Drafts } from './drafts.ts';
import { NewestOnly } from './newest-only.ts';
import { Publisher } from './publisher.ts';
import type { ReplayAnswer, ReplayOrder, RuleBench } from './rule-bench.ts';
import type { RulesInForce } from './rules-in-force.ts';

export interface WorkbenchParts {
  /** `rules.dir`. */
  readonly dir: string;
  readonly catalogue: FactCatalogue;
  readonly bench: RuleBench;
  readonly store: RuleDraftStore;
  readonly versions: RuleVersionStore;
  readonly keeper: Pick<RulesKeeper, 'changed' | 'idle' | 'complaint'>;
  readonly inForce: () => RulesInForce;
  readonly clock: Clock;
}

/** A page that asks anew with each change, and waits for the last answer alone. */
export interface AskingPage {
  readonly person: string;
  readonly page: string;
  readonly signal: AbortSignal;
}

/** All that people do with rules: try, save, publish, look back and go back. */
export class Workbench {
  readonly parts: WorkbenchParts;
  readonly drafts: Drafts;
  readonly #lints = new NewestOnly();
  readonly #replays = new NewestOnly();
  readonly publisher: Publisher;

  constructor(parts: WorkbenchParts) {
    this.parts = parts;
    this.drafts = new Drafts(parts);
    this.publisher = new Publisher(parts);
  }

  /** Undefined when a newer text of the same page is to be linted, or the page was left. */
  lint(files: RuleFiles, { person, page, signal }: AskingPage): Promise<readonly Problem[] | undefined> {
    return this.#lints.ask(`${person} ${page}`, signal, (either) =>
      this.parts.bench.lint(files, { asker: person, signal: either }),
    );
  }

  /** Undefined when there is a newer question of the same page, or the page was left. */
  replay(order: ReplayOrder, { person, page, signal }: AskingPage): Promise<ReplayAnswer | undefined> {
    return this.#replays.ask(`${person} ${page}`, signal, (either) =>
      this.parts.bench.replay(order, { asker: person, signal: either }),
    );
  }

  /** Against the rules in force; noted in the draft. */
  backtest(draft: RuleDraft, by: Doer, how: Pick<ReplayOrder, 'days' | 'costRatio'>): Promise<ReplayAnswer> {
    return backtestDraft(draft, by, how, { ...this.parts, drafts: this.drafts });
  }

  /** Writes a draft, which is none any more once it is in force; a revision that was saved meanwhile stays. */
  async publish(draft: RuleDraft, author: string) {
    const published = await this.publisher.publish(draft, author);
    if (published.is === 'in_force') await this.drafts.discardPublished(draft);
    return published;
  }

  /** By its number, or its hash or the beginning of it. Throws `not_found`. */
  async version(word: string): Promise<RuleVersion> {
    const found = oneOf(await this.parts.versions.list(), word);
    if (found) return found;
    throw new AppError('not_found');
  }

  /** What is meant by `in_force`, `drf_…`, or a version. Throws `not_found`. */
  async filesOf(word: string): Promise<RuleFiles> {
    if (word === 'in_force') return this.parts.inForce().files;
    if (word.startsWith('drf_')) return (await this.drafts.find(word)).files;
    const { version } = await this.version(word);
    return (await this.parts.versions.filesOf(version)) ?? {};
  }

  close(): void {
    this.parts.bench.close();
  }
}

/** A word that several versions may be meant by names none. */
function oneOf(list: readonly RuleVersion[], word: string): RuleVersion | undefined {
  try {
    return findVersion(list, word);
  } catch (error) {
    if (error instanceof AmbiguousVersion) return undefined;
    throw error;
  }
}
