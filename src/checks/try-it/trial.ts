import type { Address } from '../../provider-kit/index.ts';
import type { Decision, Facts } from '../../rules/decision.ts';
import type { Signals } from '../../signals/signals.ts';
import type { ProviderAnswer } from '../../signals/watched-collection.ts';

/**
 * What happens while an address is tried: each provider's answer when it is there, after those that ask others what the rules make of
 * what is known so far, and last the decision.
 */
export type TrialEvent =
  | (ProviderAnswer & {
      readonly kind: 'answer';
      /** Since the trial began. */
      readonly atUs: number;
    })
  | { readonly kind: 'so_far'; readonly decision: Decision; readonly atUs: number }
  | {
      readonly kind: 'decided';
      readonly signals: Signals;
      readonly decision: Decision;
      readonly atUs: number;
      /** ISO 8601, UTC, milliseconds. */
      readonly at: string;
    };

/** An address that is being tried. */
export interface Trial {
  readonly address: Address;
  readonly events: AsyncIterable<TrialEvent>;
}

/** Facts as they were given, and what the rules in force make of them. */
export interface DecidedFacts {
  readonly facts: Facts;
  readonly decision: Decision;
}
