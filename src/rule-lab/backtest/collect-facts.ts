import type { Address } from '../../provider-kit/index.ts';
import type { RuleSet } from '../../rules/compile.ts';
import type { Facts } from '../../rules/decision.ts';
import { otherFactMakers } from '../../rules/fact-making-parts.ts';
import type { PreparationInputs } from '../../signals/prepare-providers.ts';
import type { SignalCollector } from '../../signals/signal-collector.ts';
import type { BySide } from './report.ts';

/** What is found out about an address. */
export type CollectFacts = (address: Address) => Facts | Promise<Facts>;

export interface CollectingOptions {
  readonly collector: SignalCollector;
  /** The providers' own, and the downloaded lists where they are to be used. */
  readonly inputs: Pick<PreparationInputs, 'options' | 'downloads'>;
  readonly ruleSets: BySide<RuleSet>;
  /** `local` sends no packet: what a look-up would tell is unknown. */
  readonly world: 'local' | 'live';
}

/**
 * How each side finds out the facts of an address. The same function for both, unless the thresholds of signals or the
 * entries of the allow and deny lists differ: nothing else of a rules directory makes facts.
 */
export async function collectForBoth(options: CollectingOptions): Promise<BySide<CollectFacts>> {
  const { base, candidate } = options.ruleSets;
  const collectBase = await collectFor(base, options);
  const isSame = otherFactMakers(base, candidate).length === 0;
  return { base: collectBase, candidate: isSame ? collectBase : await collectFor(candidate, options) };
}

async function collectFor(
  { signals: thresholds, lists }: RuleSet,
  { collector, inputs, world }: CollectingOptions,
): Promise<CollectFacts> {
  const prepared = await collector.prepare({ ...inputs, thresholds, lists });
  if (world === 'local') return (address) => collector.collectLocal(address, prepared).facts;
  return (address) => {
    const signals = collector.collect(address, prepared);
    return signals instanceof Promise ? signals.then(({ facts }) => facts) : signals.facts;
  };
}
