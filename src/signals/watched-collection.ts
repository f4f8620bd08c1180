import type { Outcome } from '../observability/metrics.ts';
import type { Answer } from '../provider-kit/index.ts';
import type { AskedProvider } from './asked-provider.ts';
import { type Beginning, Collection, type ReportBreach } from './collection.ts';
import type { Signals } from './signals.ts';

/** What one provider has said of an address. */
export interface ProviderAnswer extends Pick<Signals, 'facts' | 'unknown'> {
  readonly provider: string;
  readonly outcome: Outcome;
  /** Plain JSON; null where it has none. */
  readonly evidence: Readonly<Record<string, unknown>> | null;
  /** 0 where the answer was kept from an earlier check. */
  readonly tookUs: number;
}

export type OnAnswer = (answer: ProviderAnswer) => void;

/** Tells of each answer as it comes in. A class of its own, so that a check on which nobody looks pays nothing for it. */
export class WatchedCollection extends Collection {
  readonly #onAnswer: OnAnswer;

  constructor(beginning: Beginning, report: ReportBreach, onAnswer: OnAnswer) {
    super(beginning, report);
    this.#onAnswer = onAnswer;
  }

  override accept(provider: AskedProvider, answer: Answer, tookUs: number): Outcome {
    const outcome = super.accept(provider, answer, tookUs);
    this.#onAnswer({ provider: provider.id, outcome, tookUs, ...this.saidBy(provider) });
    return outcome;
  }
}
