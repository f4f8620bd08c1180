import { ExplainedError, StartupError } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { RuleDefinitions } from '../rules/definitions.ts';
import { lintRules } from '../rules/lint/lint-rules.ts';
import { formatForLog } from '../rules/problem.ts';
import type { RuleFiles, RuleSources } from '../rules/rule-files.ts';
import type { SignalCollector } from '../signals/signal-collector.ts';
import { faultsOf, type Judgement, type RuleJudge } from './rule-judge.ts';

/** The published files; `digest` is of their texts. */
export interface PublishedFiles extends RuleSources {
  readonly digest: string;
}

/** What lies at a source, or why it cannot be read, one sentence for each fault. */
export type PublishedRules = PublishedFiles | { readonly files: null; readonly faults: readonly string[] };

/** What the new version records about its publication. */
export interface Publishing {
  /** A person's email, or the name that a command was given. */
  readonly author: string;
  /** The version whose files are written back; null for none. */
  readonly restores: number | null;
  /** `Postern-Ruleset`, as it was judged. */
  readonly hash: string | null;
}

/** Where rules are published and read. */
export interface RuleSource {
  /** Shown to people: the directory, or `the database`. */
  readonly name: string;
  /**
   * Whether publishing is one transaction that also stores the version: rules that are read are then whole, judged and on record. Otherwise
   * the service that takes the files stores the version.
   */
  readonly isTransactional: boolean;
  /** What is published now. Rejects only where that is a bug. */
  read(): Promise<PublishedRules>;
  /** Whether this process may publish. */
  isWritable(): Promise<boolean>;
  /** The probable author of these files, for the history of versions; null where it is not known. Absent where publishing stores the version. */
  authorOf?(files: RuleFiles): Promise<string | null>;
  /**
   * Replaces `before` with `after`. Throws RulesNotWritten; where something else than `before` is published, RulesOvertaken, and nothing is
   * written.
   */
  publish(before: RuleFiles, after: RuleFiles, publishing: Publishing): Promise<void>;
  /** Calls `onChange` once now and whenever other rules may have been published. Returns a function that stops the watch. */
  watch(onChange: () => void): Promise<() => void>;
}

/** The rules were not published. The message is for people and says what the source holds now. */
export class RulesNotWritten extends ExplainedError {
  override readonly name = 'RulesNotWritten';
  /** This process may not write to the source: nothing was written, and the caller must find another way. */
  readonly isReadOnly: boolean;

  constructor(message: string, isReadOnly = false) {
    super(message);
    this.isReadOnly = isReadOnly;
  }
}

/** Other rules were published meanwhile: nothing was written. */
export class RulesOvertaken extends RulesNotWritten {}

/** Rules that passed lint, and the texts that they were read from. */
export interface LoadedRules {
  readonly definitions: RuleDefinitions;
  readonly sources: PublishedFiles;
}

/** Reads and lints what is published. Throws a StartupError that lists every fault of it. */
export async function readRules(
  source: Pick<RuleSource, 'read'>,
  { collector, clock }: { readonly collector: SignalCollector; readonly clock: Clock },
): Promise<LoadedRules> {
  const published = await source.read();
  if (!published.files) throw new StartupError(published.faults);
  const how = { now: clock.now(), onlyErrors: true };
  const { problems, definitions } = lintRules(published, collector.catalogue, how);
  if (definitions) return { definitions, sources: published };
  throw new StartupError(problems.map(formatForLog));
}

/** What a source holds. `digest` is null where it could not be read, or not judged. */
export type Reading =
  | { readonly is: 'known'; readonly digest: string }
  | { readonly is: 'good'; readonly rules: LoadedRules; readonly digest: string }
  | { readonly is: 'bad'; readonly digest: string | null; readonly faults: readonly string[] }
  /** The database cannot be read now, which says nothing about the rules. */
  | { readonly is: 'away'; readonly faults: readonly string[] };

export interface ReadingTools {
  readonly judge: RuleJudge;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Whether files of this digest can be skipped: they are in force, or were refused before. */
  readonly isKnown: (digest: string) => boolean;
  /** Whether the reading is not wanted any more: it then ends as `bad`, and nothing is judged. */
  readonly isClosed: () => boolean;
}

/** Two readings this far apart must agree. */
const SETTLE_MS = 100;
/** A bad set is read so many times again before it is called bad: 2 s in all. */
const LOOKS = 8;
const LOOK_MS = 250;
/** Files that still change after so many readings are given up: after 30 s or more. */
const MOST_READINGS = 300;

/**
 * Reads and judges the published rules, which may be half written: the files must be the same before and after judging, and faults are
 * believed only after two seconds without a change. Never rejects because of the files.
 */
export async function readSettled(
  source: Pick<RuleSource, 'name' | 'read'>,
  tools: ReadingTools,
): Promise<Exclude<Reading, { is: 'away' }>> {
  const { judge, now, pause, isKnown, isClosed } = tools;
  const isStill = async (key: string, looks: number): Promise<boolean> => {
    for (let look = 0; look <= looks; look++) {
      if (look > 0) await pause(LOOK_MS);
      // Once closed, the judge has been ended: its result says nothing about the rules.
      if (isClosed() || keyOf(await source.read()) !== key) return false;
    }
    return true;
  };
  for (let readings = 0; readings < MOST_READINGS; readings++) {
    const seen = await source.read();
    if (seen.files && isKnown(seen.digest)) return { is: 'known', digest: seen.digest };
    await pause(SETTLE_MS);
    if (isClosed()) return { is: 'bad', digest: null, faults: ['the reading was given up'] };
    const settled = await source.read();
    const key = keyOf(settled);
    if (key !== keyOf(seen)) continue;
    const reading = await judgePublished(settled, judge, now());
    if (await isStill(key, reading.is === 'good' ? 0 : LOOKS)) return reading;
  }
  const faults = [`rules directory ${source.name}: its files change from reading to reading`];
  return { is: 'bad', digest: null, faults };
}

/** Characters, at most, that are linted in this process: linting so many holds up its requests for some 100 ms. */
const MOST_LINTED_HERE = 128 * 1024;

interface LoadingTools extends Pick<ReadingTools, 'judge' | 'now' | 'isKnown'> {
  /** In this process. */
  readonly lint: (sources: RuleSources) => Pick<Judgement, 'problems' | 'definitions'>;
}

/**
 * Reads a transactional source and lints at once, in this process: all instances must decide by it within two seconds, and starting a
 * judging process can take longer on a busy machine. Failing tests are ignored: the publisher has run the tests.
 */
export async function readPublished(
  source: Pick<RuleSource, 'read'>,
  { judge, now, isKnown, lint }: LoadingTools,
): Promise<Reading> {
  const published = await source.read();
  if (!published.files) return { is: 'away', faults: published.faults };
  if (isKnown(published.digest)) return { is: 'known', digest: published.digest };
  const size = Object.values(published.files).reduce((sum, text) => sum + text.length, 0);
  return readingOf(published, async () => {
    const { problems, definitions } =
      size > MOST_LINTED_HERE ? await judge.judge(published, now()) : lint(published);
    return { faults: problems.map(formatForLog), definitions };
  });
}

/** Equal keys mean that the source holds the same. */
function keyOf(published: PublishedRules): string {
  return published.files ? published.digest : published.faults.join('\n');
}

async function judgePublished(published: PublishedRules, judge: RuleJudge, now: number) {
  if (!published.files) return { is: 'bad', digest: null, faults: published.faults } as const;
  return readingOf(published, async () => {
    const judgement = await judge.judge(published, now);
    return { faults: faultsOf(judgement), definitions: judgement.definitions };
  });
}

/** Turns what `find` found in the files into a reading. Where `find` throws, the reading is `bad` and has no digest. */
async function readingOf(
  published: PublishedFiles,
  find: () => Promise<{ readonly faults: readonly string[] } & Pick<Judgement, 'definitions'>>,
): Promise<Extract<Reading, { is: 'good' | 'bad' }>> {
  const { digest } = published;
  try {
    const { faults, definitions } = await find();
    if (faults.length > 0 || !definitions) return { is: 'bad', digest, faults };
    return { is: 'good', rules: { definitions, sources: published }, digest };
  } catch (error) {
    return { is: 'bad', digest: null, faults: [messageOf(error)] };
  }
}
