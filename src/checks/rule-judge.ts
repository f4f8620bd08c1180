import type { Config, ProviderOptions } from '../app/config/config.ts';
import { readAddress } from '../email/read-address.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { Mutex } from '../lib/concurrency.ts';
import { type Findings, unknown } from '../provider-kit/index.ts';
import { compileRuleSet } from '../rules/compile.ts';
import type { Facts } from '../rules/decision.ts';
import type { RuleDefinitions } from '../rules/definitions.ts';
import { lintRules } from '../rules/lint/lint-rules.ts';
import { describePlace, formatForLog, type Problem } from '../rules/problem.ts';
import type { RuleSources } from '../rules/rule-files.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { type RuleTestReport, type RuleTestResult, runRuleTests } from '../rules/rule-tests.ts';
import type { PreparedProviders } from '../signals/prepare-providers.ts';
import type { SignalCollector } from '../signals/signal-collector.ts';

/** The result of lint and tests of a rules directory. Plain data: it travels between processes. */
export interface Judgement {
  /** Errors of lint. With one of them no test was run. */
  readonly problems: readonly Problem[];
  /** Undefined when lint found an error. */
  readonly definitions: RuleDefinitions | undefined;
  readonly passed: number;
  readonly failing: readonly FailingTest[];
}

type FailingTest = Pick<RuleTestResult, 'name' | 'place' | 'failures'>;

/** Says whether rules may be put in force. */
export interface RuleJudge {
  /** Rejects when it cannot judge, which says nothing about the rules. */
  judge(sources: RuleSources, now: number): Promise<Judgement>;
  close(): void;
}

export interface JudgingTools {
  readonly collector: SignalCollector;
  readonly providerOptions: ProviderOptions;
}

/** Lints and tests in this process: for commands, and inside the child process of a `RuleJudge`. */
export class InProcessJudge implements RuleJudge {
  #prepared: PreparedProviders | undefined;

  constructor(private readonly tools: JudgingTools) {}

  async judge(sources: RuleSources, now: number): Promise<Judgement> {
    const { catalogue } = this.tools.collector;
    const { problems, definitions } = lintRules(sources, catalogue, { now, onlyErrors: true });
    if (!definitions) return { problems, definitions, passed: 0, failing: [] };
    const { passed, results } = await this.test(definitions, now);
    const failing = results
      .filter((result) => !result.passed)
      .map(({ name, place, failures }) => ({ name, place, failures }));
    return { problems, definitions, passed, failing };
  }

  /** A test that names an address gets the signals that need no look-up. */
  async test(definitions: RuleDefinitions, now: number): Promise<RuleTestReport> {
    const { collector } = this.tools;
    const { tests } = definitions;
    const ruleSets = new Map<number, RuleSet>();
    const ruleSetAt = (at: number | null): RuleSet => {
      const moment = at ?? now;
      const ruleSet =
        ruleSets.get(moment) ??
        // A test has no rollout bucket, so a rule that is rolled out counts in it.
        compileRuleSet(definitions, moment, { forEveryone: true });
      ruleSets.set(moment, ruleSet);
      return ruleSet;
    };
    const hasEmails = tests.some(({ email }) => email !== null);
    const prepared = hasEmails ? await this.#prepare(ruleSetAt(null)) : undefined;
    return runRuleTests(
      ruleSetAt,
      tests,
      collector.catalogue,
      prepared &&
        (async (email, given) => {
          const reading = readAddress(email);
          if (!reading.ok) throw new Error(reading.refusal.message);
          const facts = asFindings(given);
          return (await collector.collectLocal(reading.address, prepared, { facts })).facts;
        }),
    );
  }

  close(): void {}

  async #prepare({ signals: thresholds, lists }: RuleSet): Promise<PreparedProviders> {
    const { collector, providerOptions: options } = this.tools;
    const inputs = { options, thresholds, lists };
    this.#prepared = await collector.prepare(inputs, this.#prepared);
    return this.#prepared;
  }
}

export interface RuleProcessSetup {
  readonly config: Config;
  readonly providerOptions: JudgingTools['providerOptions'];
}

export interface JudgeJobs {
  judge(order: { readonly sources: RuleSources; readonly now: number }): Promise<Judgement>;
}

export interface RuleProcessOptions extends RuleProcessSetup {
  /** Another entry file, for tests of a process that fails. */
  readonly entry?: URL;
  /** Replaces every time limit. */
  readonly limitMs?: number;
}

/** The shipped rules take 0.1 s, and the providers that are loaded first 0.5 s. A test cannot loop, but a large set is slow. */
const LIMIT_MS = 30_000;
/** The idle process is kept for a person's next save, then ended: it holds as much memory as a small service. */
const IDLE_MS = 30_000;

/** Judges in a child process: in this one, the 0.1 s of the shipped rules would hold up every request. One judgement at a time. */
export function startJudge({ limitMs = LIMIT_MS, entry, ...setup }: RuleProcessOptions): RuleJudge {
  const runner = new JobRunner<JudgeJobs>({
    program: 'rules',
    setup,
    does: 'judges rules',
    undone: 'the rules were not judged',
    limitMs,
    idleMs: IDLE_MS,
    ...(entry && { entry }),
  });
  const mutex = new Mutex();
  let isClosed = false;
  return {
    judge: (sources, now) =>
      mutex.run(async () => {
        if (isClosed) throw new Error('the judge of rules is closed');
        return runner.run('judge', { sources, now });
      }),
    // For good: no process is started afterwards that would outlive this one.
    close() {
      isClosed = true;
      runner.end();
    },
  };
}

/** Judges in a child process, or in this one when run from TypeScript, as in tests: the child's decorators must be compiled. */
export function openJudge({
  config,
  providerOptions,
  collector,
}: RuleProcessSetup & JudgingTools): RuleJudge {
  return import.meta.url.endsWith('.ts')
    ? new InProcessJudge({ collector, providerOptions })
    : startJudge({ config, providerOptions });
}

/** Why the rules must not be put in force, one sentence each; none when they may. For the log, unless `format` is for a person. */
export function faultsOf(
  { problems, failing }: Pick<Judgement, 'problems' | 'failing'>,
  format = formatForLog,
): readonly string[] {
  return [...problems.map(format), ...failing.map(describeFailingTest)];
}

/** `file:line:column test "…" failed: score expected 40, was 15` */
function describeFailingTest({ name, place, failures }: FailingTest): string {
  const why = failures.map(({ what, expected, actual }) => `${what} expected ${expected}, was ${actual}`);
  return `${describePlace(place)} test ${JSON.stringify(name)} failed: ${why.join('; ')}`;
}

/** A null in a test is an unknown; its reason does not matter. */
function asFindings(facts: Facts): Findings['facts'] {
  return Object.fromEntries(Object.entries(facts).map(([id, value]) => [id, value ?? unknown('not_run')]));
}
