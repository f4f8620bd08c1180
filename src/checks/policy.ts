import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Clock, Setup } from '../provider-kit/index.ts';
import { compileRuleSet, type RuleSet } from '../rules/compile.ts';
import { otherFactMakers } from '../rules/fact-making-parts.ts';
import { MemoizedDecider } from '../rules/memoized-decider.ts';
import type { PreparationInputs, PreparedProviders } from '../signals/prepare-providers.ts';
import type { SignalCollector } from '../signals/signal-collector.ts';
import type { Challenger } from './challenger.ts';
import type { LoadedRules } from './read-rules.ts';

/** A rule set and the providers prepared from the same directory: they are swapped together or not at all. */
export interface Policy extends LoadedRules {
  readonly ruleSet: RuleSet;
  readonly decider: MemoizedDecider;
  readonly providers: PreparedProviders;
  /** Null where none is configured. */
  readonly challenger: Challenger | null;
}

export interface PolicyBookOptions {
  readonly rulesDir: string;
  /** `rules.challenger_dir`; null for none, as in every command. */
  readonly challengerDir: string | null;
  readonly providerOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly collector: SignalCollector;
  readonly downloads: Setup['downloads'];
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** What a policy is made of. */
export interface Ingredients extends LoadedRules {
  readonly challenger: Challenger | null;
}

/** When something in the set or in its challenger expires. */
export function nextExpiryOf({ ruleSet, challenger }: Policy): number | null {
  const [one, other] = [ruleSet.nextExpiry, challenger?.ruleSet.nextExpiry ?? null];
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** Compiles the rules and prepares the providers: all of them, or where `before` is given those that it changes something for. */
export async function makePolicy(
  { definitions, sources, challenger }: Ingredients,
  options: PolicyBookOptions,
  before?: PreparedProviders,
): Promise<Policy> {
  const { collector, clock, log, metrics } = options;
  const ruleSet = compileRuleSet(definitions, collector.catalogue, clock.now());
  const inputs = preparationInputs(ruleSet, options);
  const providers = await (before ? collector.prepareChanged(inputs, before) : collector.prepare(inputs));
  const decider = new MemoizedDecider(ruleSet, {
    onMismatch: ({ remembered, engine }) => {
      metrics.memoMismatched();
      // Scores alone: a ledger may quote a personal fact.
      log.error(
        { remembered: remembered.score, engine: engine.score, ruleset: ruleSet.hash },
        'a remembered decision differs from the engine',
      );
    },
  });
  const policy = { definitions, sources, ruleSet, decider, providers, challenger };
  warnOfUnseen(policy, log);
  return policy;
}

export function warnOfUnseen({ ruleSet, challenger }: Policy, log: Logger): void {
  const unseen = challenger ? otherFactMakers(challenger.ruleSet, ruleSet) : [];
  if (unseen.length === 0) return;
  log.warn(
    { files: unseen, challenger: challenger?.ruleSet.hash },
    "the challenger's thresholds and lists are not tried: its facts are made by those in force",
  );
}

export function preparationInputs(
  { signals: thresholds, lists }: RuleSet,
  { providerOptions, downloads }: PolicyBookOptions,
): PreparationInputs {
  return { options: providerOptions, thresholds, lists, downloads };
}
