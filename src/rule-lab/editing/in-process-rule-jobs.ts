import { InProcessJudge, type JudgingTools } from '../../checks/rule-judge.ts';
import type { JobContext } from '../../jobs/job-process.ts';
import { isoTime } from '../../lib/dates.ts';
import {
  editOwnList,
  type FoundEntries,
  findEntries,
  type ListEdit,
  type ListText,
} from '../../lists/own/own-list-edits.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { changesBetween, unifiedDiff } from '../../rules/compare-files.ts';
import { compileRuleSet } from '../../rules/compile.ts';
import { diffRules } from '../../rules/diff-rules.ts';
import { type LintResult, lintRules } from '../../rules/lint/lint-rules.ts';
import { formatProblem, type Problem } from '../../rules/problem.ts';
import { proveDegraded } from '../../rules/prove-degraded.ts';
import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import type { RecordedChecks } from '../../storage/sqlite/replay-queries.ts';
import { type ComparedSet, comparedSet } from '../backtest/run-backtest.ts';
import type { PromotionCriteria } from '../shadow/promotion.ts';
import type { ShadowReport } from '../shadow/report.ts';
import { reportShadow } from '../shadow/run-shadow.ts';
import { type Merged, type MergeOrder, mergeRules } from './merge-rules.ts';
import { type Corpus, lettingOthersWork, loadCorpus, replayCorpus } from './replay.ts';
import type {
  Comparison,
  ComparisonOrder,
  ReplayAnswer,
  ReplayOrder,
  RuleJobs,
  RuleTests,
  ShadowOrder,
} from './rule-jobs.ts';

export interface RuleJobTools extends JudgingTools {
  readonly openRecords: () => RecordedChecks;
  readonly promotion: PromotionCriteria;
  readonly clock: Clock;
}

/** After this, records that came meanwhile, and labels, are worth a second reading. */
const CORPUS_LIFE_MS = 600_000;
const DAY_MS = 86_400_000;
/** Flips of shadow rules and challengers that are shown whole, of each kind. */
const SHADOW_EXAMPLES = 3;
/** Problems name files by their paths in the directory. */
const NO_DIRECTORY = '';

/** Works in this process: for tests, and within the process that `queueRuleJobs` starts. */
export class InProcessRuleJobs implements RuleJobs {
  readonly #tools: RuleJobTools;
  readonly #judge: InProcessJudge;
  #corpus:
    | { readonly days: number; readonly loadedMs: number; readonly loading: Promise<Corpus> }
    | undefined;
  /** What is in force is the same from replay to replay. */
  #base: { readonly digest: string; readonly set: ComparedSet } | undefined;

  constructor(tools: RuleJobTools) {
    this.#tools = tools;
    this.#judge = new InProcessJudge(tools);
  }

  async lint(files: RuleFiles): Promise<readonly Problem[]> {
    return this.#lint(files, false).problems;
  }

  async test(files: RuleFiles): Promise<RuleTests> {
    const { collector, clock } = this.#tools;
    const { catalogue } = collector;
    const now = clock.now();
    const judgement = await this.#judge.judge({ dir: NO_DIRECTORY, files }, now);
    const { problems, definitions, passed, failing } = judgement;
    if (!definitions) return { problems, passed, failing, breaches: [], hash: null };
    const ruleSet = compileRuleSet(definitions, catalogue, now);
    const { breaches } = proveDegraded(ruleSet, catalogue);
    return { problems, passed, failing, breaches, hash: ruleSet.hash };
  }

  async replay(
    { base, candidate, days, costRatio }: ReplayOrder,
    { signal }: JobContext = {},
  ): Promise<ReplayAnswer> {
    const { problems, definitions } = this.#lint(candidate, true);
    if (!definitions) return { problems };
    const { collector, clock } = this.#tools;
    const sets = {
      base: this.#baseOf(base),
      candidate: comparedSet('draft', definitions, collector.catalogue, clock.now()),
    };
    const corpus = await this.#corpusOf(days);
    return { replay: await replayCorpus({ sets, corpus, costRatio, signal }) };
  }

  async shadow({ files, days }: ShadowOrder): Promise<ShadowReport> {
    const { openRecords, promotion, clock } = this.#tools;
    const { ruleSet } = this.#compile(files);
    const records = openRecords();
    try {
      const selection = { since: isoTime(clock.now() - days * DAY_MS) };
      return await reportShadow({
        checks: await records.count(selection),
        pages: lettingOthersWork(records.triedPages(selection)),
        ruleSet,
        challenger: null,
        criteria: promotion,
        examples: SHADOW_EXAMPLES,
      });
    } finally {
      records.close();
    }
  }

  async compare({ before, after }: ComparisonOrder): Promise<Comparison> {
    const texts = { files: changesBetween(before, after), patch: unifiedDiff(before, after) };
    const [old, now] = [this.#lint(before, true).definitions, this.#lint(after, true).definitions];
    if (old && now) return { ...texts, changes: diffRules(old, now, this.#tools.clock.now()), faulty: [] };
    return {
      ...texts,
      changes: null,
      faulty: [...(old ? [] : ['before' as const]), ...(now ? [] : ['after' as const])],
    };
  }

  async patch({ before, after }: ComparisonOrder): Promise<string> {
    return unifiedDiff(before, after);
  }

  async merge(order: MergeOrder): Promise<Merged> {
    return mergeRules(order);
  }

  async readList(list: ListText): Promise<FoundEntries> {
    return findEntries(list);
  }

  async editList(edit: ListEdit): Promise<string> {
    return editOwnList(edit, this.#tools.clock.now());
  }

  close(): void {
    this.#corpus = undefined;
  }

  #lint(files: RuleFiles, onlyErrors: boolean): LintResult {
    const { collector, clock } = this.#tools;
    const sources = { dir: NO_DIRECTORY, files };
    return lintRules(sources, collector.catalogue, { now: clock.now(), onlyErrors });
  }

  #baseOf(files: RuleFiles): ComparedSet {
    const digest = digestOf(files);
    const expiresMs = this.#base?.set.ruleSet.nextExpiry ?? Infinity;
    if (this.#base?.digest !== digest || expiresMs <= this.#tools.clock.now()) {
      this.#base = { digest, set: this.#compile(files) };
    }
    return this.#base.set;
  }

  /** Throws where lint has errors: these were in force, or are. */
  #compile(files: RuleFiles): ComparedSet {
    const { collector, clock } = this.#tools;
    const { problems, definitions } = this.#lint(files, true);
    if (definitions) return comparedSet('rules in force', definitions, collector.catalogue, clock.now());
    throw new Error(`the rules in force have errors: ${problems.map(formatProblem).join('; ')}`);
  }

  /** Read once and kept; a question that comes while it is read waits for the same. */
  #corpusOf(days: number): Promise<Corpus> {
    const now = this.#tools.clock.now();
    const kept = this.#corpus;
    if (kept?.days === days && now - kept.loadedMs < CORPUS_LIFE_MS) return kept.loading;
    const loading = this.#readCorpus(days, now);
    const reading = { days, loadedMs: now, loading };
    this.#corpus = reading;
    loading.catch(() => {
      // What failed may go well the next time.
      if (this.#corpus === reading) this.#corpus = undefined;
    });
    return loading;
  }

  async #readCorpus(days: number, now: number): Promise<Corpus> {
    const records = this.#tools.openRecords();
    try {
      return await loadCorpus(records, days, now);
    } finally {
      records.close();
    }
  }
}
