import { inject, injectable } from '../../di.ts';
import { isoTime } from '../../lib/dates.ts';
import type { Address, Clock, FactValue } from '../../provider-kit/index.ts';
import { decide } from '../../rules/decide.ts';
import type { FactCatalogue } from '../../signals/fact-catalogue.ts';
import { SignalCollector } from '../../signals/signal-collector.ts';
import { CLOCK, POLICY_BOOK } from '../../tokens.ts';
import type { PolicyBook } from '../policy-book.ts';
import { requireAddress } from '../require-address.ts';
import { type GivenFacts, readGivenFacts } from './read-given-facts.ts';
import type { DecidedFacts, Trial, TrialEvent } from './trial.ts';

/**
 * Assesses addresses for somebody who looks on: the same world and the same rules as a check, and nothing is recorded, counted
 * or charged. Decisions are the engine's own, so that what the memory of `/v1` holds is none of a person's trying out.
 */
@injectable()
export class TryIt {
  readonly #collector: SignalCollector;
  readonly #policies: PolicyBook;
  readonly #clock: Clock;

  constructor(
    @inject(SignalCollector) collector: SignalCollector,
    @inject(POLICY_BOOK) policies: PolicyBook,
    @inject(CLOCK) clock: Clock,
  ) {
    this.#collector = collector.uncounted();
    this.#policies = policies;
    this.#clock = clock;
  }

  get catalogue(): FactCatalogue {
    return this.#collector.catalogue;
  }

  /** Throws AppError `unparseable_email` when the text is not one address. */
  begin(email: string): Trial {
    const address = requireAddress(email);
    return { address, events: this.#run(address) };
  }

  /** Throws AppError `invalid_request` where a fact cannot have its value. */
  async decide(given: GivenFacts): Promise<DecidedFacts> {
    const facts = readGivenFacts(given, this.catalogue);
    return { facts, decision: await decide(this.#policies.current.ruleSet, facts) };
  }

  #run(address: Address): AsyncIterable<TrialEvent> {
    // Taken once: a reload meanwhile must not mix two rule sets in one decision.
    const { providers, ruleSet } = this.#policies.current;
    const began = performance.now();
    let hasLeft = false;
    const atUs = () => Math.round((performance.now() - began) * 1000);
    const known: Record<string, FactValue | null> = {};
    for (const id of this.catalogue.facts.keys()) known[id] = null;
    return new ReadableStream<TrialEvent>({
      start: async (stream) => {
        const tell = (event: TrialEvent) => {
          // Whoever has left is told nothing; what was asked ends by itself at its deadline.
          if (!hasLeft) stream.enqueue(event);
        };
        let latest = 0;
        const decideSoFar = async () => {
          const turn = ++latest;
          const decision = await decide(ruleSet, { ...known });
          // Overtaken by another answer, it would be told too late.
          if (turn === latest) tell({ kind: 'so_far', decision, atUs: atUs() });
        };
        let isWaiting = false;
        const watching = this.#collector.watch(address, providers, (answer) => {
          Object.assign(known, answer.facts);
          tell({ kind: 'answer', ...answer, atUs: atUs() });
          if (isWaiting) decideSoFar().catch(stream.error.bind(stream));
        });
        isWaiting = true;
        decideSoFar().catch(stream.error.bind(stream));
        const signals = await watching;
        latest += 1;
        const decision = await decide(ruleSet, signals.facts);
        const at = isoTime(this.#clock.now());
        tell({ kind: 'decided', signals, decision, atUs: atUs(), at });
        if (!hasLeft) stream.close();
      },
      cancel: () => {
        hasLeft = true;
      },
    });
  }
}
