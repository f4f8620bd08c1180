import { CircuitBreaker } from './circuit-breaker.ts';
import { withDeadline } from './deadline.ts';
import type { Question, Questioner, Reply } from './question.ts';

/** Every resolver knows the servers of the root, most of them without asking anybody. */
const PROBE: Question = { name: '.', type: 'NS' };

export interface NameServerOptions {
  /** For the log. */
  readonly label: string;
  readonly transport: Questioner;
  /** Datagrams get lost, so silence is worth a second question; what TCP carries is sent again by TCP. */
  readonly isLossy: boolean;
  /** A server that says nothing for so long could have. */
  readonly patienceMs: number;
  readonly probeTimeoutMs: number;
  readonly now: () => number;
  readonly onChange: (label: string, isOut: boolean) => void;
}

/** One server and what is known of its health. */
export class NameServer implements Questioner {
  readonly isLossy: boolean;
  readonly label: string;
  readonly #options: NameServerOptions;
  readonly #breaker: CircuitBreaker;

  constructor(options: NameServerOptions) {
    const { label, transport, probeTimeoutMs, now, onChange } = options;
    this.#options = options;
    this.isLossy = options.isLossy;
    this.label = label;
    this.#breaker = new CircuitBreaker({
      now,
      onChange: (isOpen) => onChange(label, isOpen),
      probe: async () => {
        const reply = await withDeadline(probeTimeoutMs, (signal) => transport.ask(PROBE, signal));
        return hasReplied(reply);
      },
    });
  }

  /** It does not reply, and a probe has shown that it is not the domains' fault. */
  get isOut(): boolean {
    return this.#breaker.isOpen;
  }

  /** When it is out and it is time to look again, looks, and says that it does. */
  probeIfDue(): boolean {
    return this.#breaker.probeIfDue();
  }

  async ask(question: Question, signal: AbortSignal): Promise<Reply> {
    const { transport, patienceMs, now } = this.#options;
    const asked = now();
    const reply = await transport.ask(question, signal);
    // One that was cut off a moment after it was asked has shown nothing.
    if (hasReplied(reply)) this.#breaker.replied();
    else if (reply.outcome === 'error' || now() - asked >= patienceMs) this.#breaker.wasSilent();
    return reply;
  }
}

function hasReplied({ outcome }: Reply): boolean {
  return outcome !== 'timeout' && outcome !== 'error';
}
