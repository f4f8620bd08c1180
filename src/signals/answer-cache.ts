import { LRUCache } from 'lru-cache';
import { upTo } from '../lib/concurrency.ts';
import { monotonicClock } from '../lib/time.ts';
import {
  type Address,
  type Answer,
  type Findings,
  isUnknown,
  type NetworkProvider,
} from '../provider-kit/index.ts';

/** Distinct domains or addresses kept per provider: about 5 MB at the worst, days of ordinary traffic. */
const MAX_ENTRIES = 10_000;

/** Answers of one network provider, for as long as they hold; each is asked for once however many checks wait for it. */
export class AnswerCache {
  readonly #answers = new LRUCache<string, Answer>({ ...upTo(MAX_ENTRIES), perf: monotonicClock });
  readonly #inFlight = new Map<string, Promise<Answer>>();

  constructor(private readonly life: NonNullable<NetworkProvider['cache']>) {}

  get(address: Address): Answer | undefined {
    return this.#answers.get(this.#key(address));
  }

  /** Whether a question is under way that `ask` would join. */
  isAsking(address: Address): boolean {
    return this.#inFlight.has(this.#key(address));
  }

  ask(address: Address, question: () => Promise<Answer>): Promise<Answer> {
    const key = this.#key(address);
    const running = this.#inFlight.get(key);
    if (running) return running;
    const asked = question()
      .then((answer) => {
        this.#keep(key, answer);
        return answer;
      })
      .finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, asked);
    return asked;
  }

  #keep(key: string, answer: Answer): void {
    const { knownSeconds, unknownSeconds } = this.life;
    const seconds = isSettled(answer)
      ? Math.min(knownSeconds, answer.ttlSeconds ?? Infinity)
      : unknownSeconds;
    const ttl = Math.floor(seconds * 1000);
    // lru-cache reads a ttl of 0 as "for ever", and takes no fractions.
    if (ttl >= 1) this.#answers.set(key, answer, { ttl });
  }

  #key(address: Address): string {
    return this.life.by === 'domain' ? address.domain : address.canonical.address;
  }
}

/** Whether `knownSeconds` applies. Never to a failure; to facts that were `not_run`, only where the answer has a `ttlSeconds`. */
function isSettled(answer: Answer): answer is Findings {
  if (isUnknown(answer)) return false;
  const unknown = Object.values(answer.facts).filter(isUnknown);
  if (unknown.length === 0) return true;
  return answer.ttlSeconds !== undefined && unknown.every((fact) => fact.unknown === 'not_run');
}
