import { join, resolve } from 'node:path';
import {
  openCollector,
  openPipeline,
  type Pipeline,
  type PipelineSettings,
} from '../../app/compose/pipeline.ts';
import type { LoadedConfig } from '../../app/config/load-config.ts';
import { faultsOf, InProcessJudge } from '../../checks/rule-judge.ts';
import type { PublishedFiles, RuleSource } from '../../checks/rule-source.ts';
import { publishedVersions, RulesDatabase } from '../../checks/rules-database.ts';
import { RulesDirectory, readConfiguredRules, readRuleSources } from '../../checks/rules-directory.ts';
import { shortPath } from '../../lib/paths.ts';
import { systemClock } from '../../lib/time.ts';
import { comparedSet } from '../../rule-lab/backtest/run-backtest.ts';
import { placeInDatabase, placeInDirectory } from '../../rule-lab/versions/shipped-rules.ts';
import { compileRuleSet } from '../../rules/compile.ts';
import { datesAhead } from '../../rules/definitions.ts';
import { type LintOptions, lintRules } from '../../rules/lint/lint-rules.ts';
import { formatProblem, type Problem } from '../../rules/problem.ts';
import type { RuleFiles, RuleSources } from '../../rules/rule-files.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import { loadSettings, quietly, type StorageSession, withStorage } from '../open-session.ts';
import { CannotRun, type Shell } from '../shell.ts';

/**
 * The operator's rules: those of `rules.dir`, or with `rules.source: database` those that are published there. The last of `versions` is
 * in force; `shown` names the place in messages, `taken` says when a service takes what is published.
 */
export function ownRulesOf({ shell, loaded, storage }: StorageSession) {
  const { dir, source: kind, watch } = loaded.config.rules;
  const versions = storage.ruleVersions;
  if (kind === 'database') {
    const source = new RulesDatabase({ versions, clock: systemClock, feed: null });
    return {
      source,
      versions: publishedVersions(versions),
      shown: source.name,
      upgrades: placeInDatabase(source, storage.state),
      taken: 'Every instance takes it within two seconds.',
    };
  }
  return {
    source: new RulesDirectory(dir),
    versions,
    shown: shortPath(dir, shell.cwd),
    upgrades: placeInDirectory(dir),
    taken: `A running service takes it ${watch ? WITHIN_SECONDS : 'at SIGHUP, as a new version.'}`,
  };
}

const WITHIN_SECONDS = 'within seconds, as a new version; "postern rules status" says when it has.';

/** The operator's rules, to be read only; the shipped ones before the first start fills `rules.dir`. Throws CannotRun, or a StartupError. */
export async function readOwnRules(shell: Shell, { config }: LoadedConfig): Promise<RuleSources> {
  if (config.rules.source === 'directory') return readConfiguredRules(config.rules);
  return withStorage(shell, (session) => requireRead(ownRulesOf(session).source));
}

/** Throws CannotRun. */
export async function requireRead(source: Pick<RuleSource, 'read'>): Promise<PublishedFiles> {
  const published = await source.read();
  if (!published.files) throw new CannotRun(published.faults.join('\n'));
  return published;
}

/** The pipeline of a command on the operator's rules, which it reads once. */
export async function openOwnPipeline(
  shell: Shell,
  loaded: LoadedConfig,
  settings: Partial<PipelineSettings> = {},
): Promise<Pipeline> {
  const common = { loaded, ...quietly(shell), ...settings };
  if (loaded.config.rules.source === 'directory') return openPipeline(common);
  return withStorage(shell, async (session) => {
    const { source } = ownRulesOf(session);
    await requireRead(source);
    return openPipeline({ ...common, openRules: async () => source });
  });
}

/** For commands that edit rule files: throws CannotRun where the rules lie in a database. */
export function requireDirectory({ config }: LoadedConfig): void {
  if (config.rules.source === 'directory') return;
  throw new CannotRun(
    'the rules lie in the database (rules.source): "postern rules export DIR" writes them as files, which --dir names and "postern rules publish DIR" publishes',
  );
}

/** Lints and tests as the service would now, with the providers of this configuration. */
export async function judgeAsService(shell: Shell, loaded: LoadedConfig) {
  const { collector, providerOptions } = await openCollector({ loaded, ...quietly(shell) });
  const judge = new InProcessJudge({ collector, providerOptions });
  return async (files: RuleFiles, dir = loaded.config.rules.dir) => {
    const now = systemClock.now();
    const judgement = await judge.judge({ dir, files }, now);
    const { definitions } = judgement;
    const hash = definitions ? compileRuleSet(definitions, now).hash : null;
    const dates = definitions ? datesAhead(definitions, now) : [];
    return { faults: faultsOf(judgement, formatProblem), hash, dates };
  };
}

/** The stores of its providers are not opened. */
export type OpenedRules = Awaited<ReturnType<typeof openRules>>;

/**
 * Reads and judges a rules directory against the facts of the enabled providers. Warnings take most of the time: they are found only
 * without `onlyErrors`. With `isEdited` reads the operator's directory alone, which the first start makes, never the shipped one.
 */
export async function openRules(
  shell: Shell,
  { onlyErrors = true, isEdited = false }: Pick<LintOptions, 'onlyErrors'> & { isEdited?: boolean } = {},
) {
  const loaded = await loadSettings(shell);
  const { collector, stores, providerOptions } = await openCollector({ loaded, ...quietly(shell) });
  /** The time at which dates are judged. */
  const now = systemClock.now();
  if (isEdited) requireDirectory(loaded);
  const sources = await (isEdited ? readRuleSources(loaded.config.rules.dir) : readOwnRules(shell, loaded));
  const judged = judgeRules(shell, sources, collector.catalogue, { now, onlyErrors });
  return { loaded, sources, collector, stores, providerOptions, now, ...judged };
}

/** The same rules, named from the working directory where they lie below it; their `ignored` files too. */
export function namedFrom(cwd: string, sources: RuleSources): RuleSources {
  const named = (path: string) => (path === cwd ? '' : shortPath(path, cwd));
  return {
    ...sources,
    dir: named(sources.dir),
    ...(sources.ignored && { ignored: sources.ignored.map(named) }),
  };
}

/** Lint, with files named from the working directory. */
export function judgeRules(
  shell: Shell,
  sources: RuleSources,
  catalogue: FactCatalogue,
  options: LintOptions,
) {
  const named = namedFrom(shell.cwd, sources);
  return {
    ...lintRules(named, catalogue, options),
    dir: shortPath(sources.dir, shell.cwd),
    // By file, as the problems name it.
    texts: new Map(Object.entries(named.files).map(([path, text]) => [join(named.dir, path), text])),
  };
}

/** Throws CannotRun with every error of rules that are at fault. */
export function compileOpened({ dir, definitions, problems, now }: OpenedRules) {
  if (!definitions) throw new CannotRun(describeFaults(dir, problems));
  return { definitions, ruleSet: compileRuleSet(definitions, now) };
}

export type ComparedRules = Awaited<ReturnType<typeof openBoth>>;

/** The rules and a candidate, compiled for the same providers and the same moment. Throws CannotRun with every error of either. */
export async function openBoth(shell: Shell, candidateDir: string) {
  const base = await openRules(shell);
  const { collector, now } = base;
  const sources = await readRuleSources(resolve(shell.cwd, candidateDir));
  const candidate = judgeRules(shell, sources, collector.catalogue, { now, onlyErrors: true });
  if (!base.definitions || !candidate.definitions) {
    const atFault = [base, candidate].filter(({ definitions }) => !definitions);
    throw new CannotRun(atFault.map(({ dir, problems }) => describeFaults(dir, problems)).join('\n'));
  }
  const sets = {
    base: comparedSet(base.dir, base.definitions, now),
    candidate: comparedSet(candidate.dir, candidate.definitions, now),
  };
  return { ...base, sets };
}

function describeFaults(dir: string, problems: readonly Problem[]): string {
  return [`the rules in ${dir} have errors:`, ...problems.map(formatProblem)].join('\n');
}
