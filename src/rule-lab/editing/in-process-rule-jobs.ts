import { InProcessJudge, type JudgeJobs } from '../../checks/rule-judge.ts';
import { AppError } from '../../errors.ts';
import type { JobContext } from '../../jobs/job-process.ts';
import { LastAnswer } from '../../lib/concurrency.ts';
import { DAY_MS, isoTime } from '../../lib/time.ts';
import { type NewNamedList, writeNamedList } from '../../lists/named-list-file.ts';
import { describeNamedLists, type EntrySearch, NamedListReader } from '../../lists/named-lists.ts';
import { editList, findEntries, type ListEdit, type ListText } from '../../lists/own-lists.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { changesBetween, unifiedDiff } from '../../rules/compare-files.ts';
import { compileRuleSet } from '../../rules/compile.ts';
import { diffRules } from '../../rules/diff-rules.ts';
import { lintRules } from '../../rules/lint/lint-rules.ts';
import { formatForLog, formatProblem, type Problem } from '../../rules/problem.ts';
import { proveDegraded } from '../../rules/prove-degraded.ts';
import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import type { RecordedChecks } from '../../storage/open-storage.ts';
import { type ComparedSet, comparedSet } from '../backtest/run-backtest.ts';
import type { PromotionCriteria } from '../shadow/promotion.ts';
import { replayShadows, reportShadow } from '../shadow/run-shadow.ts';
import { judgeLists, type ListEffectOrder, type ListEffectTools } from './list-effect.ts';
import { listFlips } from './list-flips.ts';
import { type MergeOrder, mergeRules } from './merge-rules.ts';
import { judgeNamedList } from './named-list-effect.ts';
import {
  type Corpus,
  lettingOthersWork,
  loadCorpus,
  MOST_CHECKS,
  type Replay,
  replayCorpus,
} from './replay.ts';

export interface RuleJobTools extends ListEffectTools {
  readonly openRecords: () => Promise<RecordedChecks>;
  readonly promotion: PromotionCriteria;
  readonly clock: Clock;
}

/** How long a corpus is kept: after this, new records and labels are worth a second reading. */
const CORPUS_LIFE_MS = 600_000;
/** Flips of shadow rules and challengers that are shown whole, of each kind. */
const SHADOW_EXAMPLES = 3;
/** Problems name files by their paths in the directory. */
const NO_DIRECTORY = '';

export interface ReplayOrder {
  /** The rules in force. */
  readonly base: RuleFiles;
  readonly candidate: RuleFiles;
  /** How many days of records, counted back from now. */
  readonly days: number;
  /** How many bad signups let in cost as much as one good one turned away. */
  readonly costRatio: number;
}
type FlipsOrder = Omit<ReplayOrder, 'costRatio'>;

/** The outcomes of both sets on the records, or the errors of the candidate, which is then not judged. */
export type ReplayAnswer = { readonly replay: Replay } | { readonly problems: readonly Problem[] };

type ComparisonOrder = Readonly<Record<'before' | 'after', RuleFiles>>;

/** Works in this process: for tests, and within the process that `queueRuleJobs` starts. */
export function openRuleJobs(tools: RuleJobTools) {
  const { collector, clock, openRecords, promotion } = tools;
  const { catalogue } = collector;
  const judge = new InProcessJudge(tools);
  const reader = new NamedListReader();
  const lastCorpus = new LastAnswer<Corpus>(CORPUS_LIFE_MS);
  /** Cache: the rules in force are the same from replay to replay. */
  let base: { readonly digest: string; readonly set: ComparedSet } | undefined;

  const lint = (files: RuleFiles, onlyErrors: boolean) =>
    lintRules({ dir: NO_DIRECTORY, files }, catalogue, { now: clock.now(), onlyErrors });

  /** Throws where lint has errors, which rules in force have not. */
  function baseOf(files: RuleFiles): ComparedSet {
    const digest = digestOf(files);
    const changesMs = base?.set.ruleSet.nextChange ?? Infinity;
    if (base?.digest === digest && clock.now() < changesMs) return base.set;
    const { problems, definitions } = lint(files, true);
    if (!definitions) {
      throw new Error(`the rules in force have errors: ${problems.map(formatForLog).join('; ')}`);
    }
    base = { digest, set: comparedSet('rules in force', definitions, clock.now()) };
    return base.set;
  }

  /** `sets` is null where the candidate has errors. */
  function setsOf({ base: inForce, candidate: files }: Pick<ReplayOrder, 'base' | 'candidate'>) {
    const { problems, definitions } = lint(files, true);
    if (!definitions) return { problems, sets: null };
    const candidate = comparedSet('draft', definitions, clock.now());
    return { problems, sets: { base: baseOf(inForce), candidate } };
  }

  /** Throws AppError `rules_refused` where the candidate has errors. */
  function soundSetsOf(order: Pick<ReplayOrder, 'base' | 'candidate'>) {
    const { problems, sets } = setsOf(order);
    if (sets) return sets;
    const details = problems.map((problem) => ({ fault: formatProblem(problem) }));
    throw new AppError('rules_refused', { details });
  }

  async function withRecords<Result>(work: (records: RecordedChecks) => Promise<Result>): Promise<Result> {
    const records = await openRecords();
    try {
      return await work(records);
    } finally {
      await records.close();
    }
  }

  function readCorpus(days: number): Promise<Corpus> {
    return withRecords((records) => loadCorpus(records, days, clock.now(), catalogue));
  }

  /** Read once and cached; a call during the reading waits for the same corpus. */
  function corpusOf(days: number): Promise<Corpus> {
    return lastCorpus.of(String(days), clock.now(), () => readCorpus(days));
  }

  return {
    judge: ({ sources, now }) => judge.judge(sources, now),
    /** Every problem, warnings too. */
    lint: async (files: RuleFiles) => lint(files, false).problems,
    /** `breaches`: groups that would count more when an answer is missing. `hash`: of the rules in force; null with an error. */
    async test(files: RuleFiles) {
      const now = clock.now();
      const judgement = await judge.judge({ dir: NO_DIRECTORY, files }, now);
      const { problems, definitions, passed, failing } = judgement;
      if (!definitions) return { problems, passed, failing, breaches: [], hash: null };
      const ruleSet = compileRuleSet(definitions, now);
      const { breaches } = proveDegraded(ruleSet, catalogue);
      return { problems, passed, failing, breaches, hash: ruleSet.hash };
    },
    async replay(order: ReplayOrder, { signal }: JobContext = {}): Promise<ReplayAnswer> {
      const { problems, sets } = setsOf(order);
      if (!sets) return { problems };
      const corpus = await corpusOf(order.days);
      return { replay: await replayCorpus({ sets, corpus, costRatio: order.costRatio, signal }) };
    },
    /** Every check of a replay that flips, the newest first. Rejects with AppError `rules_refused` where the candidate has errors. */
    async flips(order: FlipsOrder, { signal }: JobContext = {}) {
      return listFlips({ sets: soundSetsOf(order), corpus: await corpusOf(order.days), signal });
    },
    /** What came of shadow rules on live traffic, and what each makes of the checks on record. `files` are the rules in force. */
    async shadow({ files, days }: { readonly files: RuleFiles; readonly days: number }) {
      const { ruleSet } = baseOf(files);
      const selection = { since: isoTime(clock.now() - days * DAY_MS) };
      const shared = { ruleSet, catalogue, criteria: promotion, examples: SHADOW_EXAMPLES };
      return withRecords(async (records) => {
        const report = await reportShadow({
          checks: await records.count(selection),
          pages: lettingOthersWork(records.triedPages(selection)),
          challenger: null,
          ...shared,
        });
        // Useless without a shadow rule, and it reads every record.
        if (report.rules.length === 0) return { ...report, replayed: [] };
        const pages = lettingOthersWork(records.pages({ ...selection, newest: MOST_CHECKS }));
        return { ...report, replayed: await replayShadows({ pages, ...shared }) };
      });
    },
    /**
     * `changes`: changes of meaning, those that affect decisions first; null where a side has errors, so that they cannot be told.
     * `faulty`: the sides that lint would refuse now, since providers may have changed.
     */
    async compare({ before, after }: ComparisonOrder) {
      const texts = { files: changesBetween(before, after), patch: unifiedDiff(before, after) };
      const [old, now] = [lint(before, true).definitions, lint(after, true).definitions];
      if (old && now) return { ...texts, changes: diffRules(old, now, clock.now()), faulty: [] };
      const faulty = [...(old ? [] : ['before' as const]), ...(now ? [] : ['after' as const])];
      return { ...texts, changes: null, faulty };
    },
    /** What `patch -p1` takes; the files may have any mistake. */
    patch: async ({ before, after }: ComparisonOrder) => unifiedDiff(before, after),
    merge: async (order: MergeOrder) => mergeRules(order),
    readList: async (list: ListText) => findEntries(list),
    /** The text with the change in it. Rejects with AppError `invalid_request` when it cannot be made. */
    editList: async (edit: ListEdit) => editList(edit, clock.now()),
    /** The text of a new list. Rejects with AppError `invalid_request` where lint would refuse it. */
    writeNamedList: async (list: NewNamedList) => writeNamedList(list),
    /** The named lists among rules, and which rules read each. */
    namedLists: async (files: RuleFiles) => describeNamedLists(files, catalogue, clock.now()),
    findInList: async (search: EntrySearch) => reader.find(search, clock.now()),
    /** What another list of this name would have made of recorded checks. Rejects with AppError `rules_refused` where it has errors. */
    async namedListEffect(order: FlipsOrder & { readonly name: string }, { signal }: JobContext = {}) {
      const inputs = { sets: soundSetsOf(order), corpus: await readCorpus(order.days), signal };
      return judgeNamedList(inputs, order.name, clock.now());
    },
    /** What other lists would have made of recorded checks. Rejects with AppError `rules_refused` where a list has errors. */
    async listEffect(order: ListEffectOrder, { signal }: JobContext = {}) {
      const inputs = { sets: soundSetsOf(order), corpus: await readCorpus(order.days), signal };
      return judgeLists(inputs, order, tools);
    },
    close() {
      lastCorpus.forget();
    },
  } satisfies JudgeJobs & Readonly<Record<string, unknown>>;
}
