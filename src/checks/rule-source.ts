import { StartupError } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { RuleDefinitions } from '../rules/definitions.ts';
import { lintRules } from '../rules/lint/lint-rules.ts';
import { formatProblem } from '../rules/problem.ts';
import { digestOf, filesOf, type RuleSources, readRuleSources } from '../rules/rule-files.ts';
import type { SignalCollector } from '../signals/signal-collector.ts';
import { faultsOf, type RuleJudge } from './rule-judge.ts';

export interface DefinitionsReader {
  /** Whose facts the rules may read. */
  readonly collector: SignalCollector;
  readonly clock: Clock;
}

/** Rules that passed lint, and the texts that they were read from. */
export interface LoadedRules {
  readonly definitions: RuleDefinitions;
  readonly sources: RuleSources;
}

/** Reads and judges a rules directory. Throws a StartupError that lists every fault of it. */
export async function readRules(dir: string, { collector, clock }: DefinitionsReader): Promise<LoadedRules> {
  const sources = await readRuleSources(dir);
  const { problems, definitions } = lintRules(sources, collector.catalogue, {
    now: clock.now(),
    onlyErrors: true,
  });
  if (definitions) return { definitions, sources };
  throw new StartupError(problems.map(formatProblem));
}

/** What a rules directory holds. `digest` is null where it could not be read, or not judged. */
export type Reading =
  | { readonly is: 'known'; readonly digest: string }
  | { readonly is: 'good'; readonly rules: LoadedRules; readonly digest: string }
  | { readonly is: 'bad'; readonly digest: string | null; readonly faults: readonly string[] };

export interface ReadingTools {
  readonly judge: RuleJudge;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Whether nothing need be said of files of this digest: they are in force, or were refused before. */
  readonly isKnown: (digest: string) => boolean;
  /** Whether nobody waits for the reading any more: it then ends as bad at once, and nothing is judged. */
  readonly isClosed: () => boolean;
}

/** Two readings this far apart must agree. */
const SETTLE_MS = 100;
/** A bad set is looked at so often again, a settling and a pause each, before it is called bad: 2 s in all. */
const TRIES = 8;
const PAUSE_MS = 150;
/** Files that change from reading to reading are given up after so many: 30 s. */
const MOST_READINGS = 300;

interface Look {
  readonly sources: RuleSources | null;
  /** Of the files, or why they cannot be read: the same for the same state of the directory. */
  readonly key: string;
}

/**
 * Reads a rules directory as a whole. Somebody may be writing it: what is read must be the same before and after it was
 * judged, and a fault is believed only when it stays for two seconds. So a file that was half written is never heard of.
 */
export async function readWhole(dir: string, tools: ReadingTools): Promise<Reading> {
  const { judge, now, pause, isKnown, isClosed } = tools;
  let bad: { readonly key: string; readonly reading: Reading; tries: number } | undefined;
  let seen = await look(dir);
  for (let readings = 0; readings < MOST_READINGS; readings++) {
    if (seen.sources && isKnown(seen.key)) return { is: 'known', digest: seen.key };
    await pause(SETTLE_MS);
    if (isClosed()) return { is: 'bad', digest: null, faults: ['the reading was given up'] };
    const settled = await look(dir);
    if (settled.key === seen.key && settled.key !== bad?.key) {
      const reading = await judgeLook(settled, judge, now());
      // The judge was ended, which says nothing of the rules.
      if (isClosed()) continue;
      const after = await look(dir);
      if (after.key === settled.key) {
        if (reading.is === 'good') return reading;
        bad = { key: settled.key, reading, tries: 0 };
      }
      seen = after;
      continue;
    }
    if (settled.key === bad?.key) {
      if (bad.tries >= TRIES) return bad.reading;
      bad.tries += 1;
      await pause(PAUSE_MS);
    }
    seen = await look(dir);
  }
  return {
    is: 'bad',
    digest: null,
    faults: [`rules directory ${dir}: its files change from reading to reading`],
  };
}

async function look(dir: string): Promise<Look> {
  try {
    const sources = await readRuleSources(dir);
    return { sources, key: digestOf(filesOf(sources)) };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return { sources: null, key: error.faults.join('\n') };
  }
}

async function judgeLook({ sources, key }: Look, judge: RuleJudge, now: number): Promise<Reading> {
  if (!sources) return { is: 'bad', digest: null, faults: key.split('\n') };
  try {
    const judgement = await judge.judge(sources, now);
    const faults = faultsOf(judgement);
    const { definitions } = judgement;
    if (faults.length > 0 || !definitions) return { is: 'bad', digest: key, faults };
    return { is: 'good', rules: { definitions, sources }, digest: key };
  } catch (error) {
    return { is: 'bad', digest: null, faults: [messageOf(error)] };
  }
}
