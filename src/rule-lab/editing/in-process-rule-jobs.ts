import { InProcessJudge, type JudgeJobs, type JudgingTools } from '../../checks/rule-judge.ts';
import { AppError } from '../../errors.ts';
import { LastAnswer } from '../../lib/concurrency.ts';
import { DAY_MS, isoTime } from '../../lib/time.ts';
import { writeNamedList } from '../../lists/named-list-file.ts';
import { describeNamedLists, NamedListReader } from '../../lists/named-lists.ts';
import { editList, findEntries } from '../../lists/own-lists.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { changesBetween, unifiedDiff } from '../../rules/compare-files.ts';
import { compileRuleSet } from '../../rules/compile.ts';
import { diffRules } from '../../rules/diff-rules.ts';
import { lintRules } from '../../rules/lint/lint-rules.ts';
import { formatProblem } from '../../rules/problem.ts';
import { proveDegraded } from '../../rules/prove-degraded.ts';
import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import type { RecordedChecks } from '../../storage/open-storage.ts';
import { type ComparedSet, comparedSet } from '../backtest/run-backtest.ts';
import type { PromotionCriteria } from '../shadow/promotion.ts';
import { replayShadows, reportShadow } from '../shadow/run-shadow.ts';
import { judgeLists, type ListEffectTools } from './list-effect.ts';
import { listFlips } from './list-flips.ts';
import { mergeRules } from './merge-rules.ts';
import { judgeNamedList } from './named-list-effect.ts';
import { type Corpus, lettingOthersWork, loadCorpus, MOST_CHECKS, replayCorpus } from './replay.ts';
import type { ReplayOrder, RuleJobs } from './rule-jobs.ts';

export interface RuleJobTools extends JudgingTools, ListEffectTools {
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

/** Works in this process: for tests, and within the process that `queueRuleJobs` starts. */
export function openRuleJobs(tools: RuleJobTools): RuleJobs & JudgeJobs {
  const { collector, clock, openRecords, promotion } = tools;
  const { catalogue } = collector;
  const judge = new InProcessJudge(tools);
  const reader = new NamedListReader();
  const lastCorpus = new LastAnswer<Corpus>(CORPUS_LIFE_MS);
  /** Cache: the rules in force are the same from replay to replay. */
  let base: { readonly digest: string; readonly set: ComparedSet } | undefined;

  const lint = (files: RuleFiles, onlyErrors: boolean) =>
    lintRules({ dir: NO_DIRECTORY, files }, catalogue, { now: clock.now(), onlyErrors });

  /** Throws where lint has errors: only rules without errors may be passed. */
  function compile(files: RuleFiles): ComparedSet {
    const { problems, definitions } = lint(files, true);
    if (definitions) return comparedSet('rules in force', definitions, clock.now());
    throw new Error(`the rules in force have errors: ${problems.map(formatProblem).join('; ')}`);
  }

  function baseOf(files: RuleFiles): ComparedSet {
    const digest = digestOf(files);
    const changesMs = base?.set.ruleSet.nextChange ?? Infinity;
    if (base?.digest !== digest || changesMs <= clock.now()) base = { digest, set: compile(files) };
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

  /** Read once and cached; a call during the reading waits for the same corpus. */
  function corpusOf(days: number): Promise<Corpus> {
    const now = clock.now();
    const load = () => withRecords((records) => loadCorpus(records, days, now, catalogue));
    return lastCorpus.of(String(days), now, load);
  }

  return {
    judge: ({ sources, now }) => judge.judge(sources, now),
    lint: async (files) => lint(files, false).problems,
    async test(files) {
      const now = clock.now();
      const judgement = await judge.judge({ dir: NO_DIRECTORY, files }, now);
      const { problems, definitions, passed, failing } = judgement;
      if (!definitions) return { problems, passed, failing, breaches: [], hash: null };
      const ruleSet = compileRuleSet(definitions, now);
      const { breaches } = proveDegraded(ruleSet, catalogue);
      return { problems, passed, failing, breaches, hash: ruleSet.hash };
    },
    async replay(order, { signal } = {}) {
      const { problems, sets } = setsOf(order);
      if (!sets) return { problems };
      const corpus = await corpusOf(order.days);
      return { replay: await replayCorpus({ sets, corpus, costRatio: order.costRatio, signal }) };
    },
    async flips(order, { signal } = {}) {
      return listFlips(soundSetsOf(order), await corpusOf(order.days), signal);
    },
    async shadow({ files, days }) {
      const { ruleSet } = compile(files);
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
    async compare({ before, after }) {
      const texts = { files: changesBetween(before, after), patch: unifiedDiff(before, after) };
      const [old, now] = [lint(before, true).definitions, lint(after, true).definitions];
      if (old && now) return { ...texts, changes: diffRules(old, now, clock.now()), faulty: [] };
      const faulty = [...(old ? [] : ['before' as const]), ...(now ? [] : ['after' as const])];
      return { ...texts, changes: null, faulty };
    },
    patch: async ({ before, after }) => unifiedDiff(before, after),
    merge: async (order) => mergeRules(order),
    readList: async (list) => findEntries(list),
    editList: async (edit) => editList(edit, clock.now()),
    writeNamedList: async (list) => writeNamedList(list),
    namedLists: async (files) => describeNamedLists(files, catalogue, clock.now()),
    findInList: async (search) => reader.find(search, clock.now()),
    async namedListEffect(order, { signal } = {}) {
      const sets = soundSetsOf(order);
      const corpus = await corpusOf(order.days);
      return judgeNamedList({ sets, name: order.name, corpus, now: clock.now(), signal });
    },
    async listEffect(order, { signal } = {}) {
      const ruleSets = { base: baseOf(order.base).ruleSet, candidate: compile(order.candidate).ruleSet };
      return withRecords((records) =>
        judgeLists({ order, ruleSets, records, nowMs: clock.now(), signal }, tools),
      );
    },
    close() {
      lastCorpus.forget();
    },
  };
}
