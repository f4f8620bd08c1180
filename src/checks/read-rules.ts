import { StartupError } from '../errors.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { RuleDefinitions } from '../rules/definitions.ts';
import { lintRules } from '../rules/lint/lint-rules.ts';
import { formatProblem } from '../rules/problem.ts';
import { type RuleSources, readRuleSources } from '../rules/rule-sources.ts';
import type { SignalCollector } from '../signals/signal-collector.ts';

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
