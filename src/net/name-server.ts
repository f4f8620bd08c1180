import type { InjectionToken } from '../di.ts';
import { isoTime } from '../lib/dates.ts';
import type { Clock } from '../provider-kit/index.ts';
import { withDeadline } from './deadline.ts';
import type { DnsAsker, Question, Reply } from './dns-question.ts';

/** So many questions without a reply, and at least half of all in the window, make a server suspect. */
const SUSPECT_AFTER = 5;
const WINDOW_MS = 10_000;
/** How long a server that is out is left alone between two probes. */
const PROBE_EVERY_MS = 5_000;

interface CircuitBreakerOptions {
  /** Asks the server something that any living one replies to; true when it did. Never rejects. */
  readonly probe: () => Promise<boolean>;
  /** Told once each time. */
  readonly onChange: (isOpen: boolean) => void;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

/**
 * Knows whether a server is worth asking. Silence makes it suspect, and only a probe without a reply opens the
 * circuit: or a client that sends addresses of dead domains, on which the best server is silent, could switch DNS off.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  #isOpen = false;
  #isProbing = false;
  #nextProbeMs = 0;
  #window = { endsMs: 0, replies: 0, silences: 0 };

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Any reply, a failure too, shows that the server lives. */
  replied(): void {
    this.#currentWindow().replies++;
    if (this.#isOpen) this.#change(false);
  }

  wasSilent(): void {
    const window = this.#currentWindow();
    window.silences++;
    const isSuspect = window.silences >= SUSPECT_AFTER && window.silences >= window.replies;
    if (isSuspect && !this.#isOpen) this.#probe();
  }

  /** Half open: when it is time, probes a server that is out, and says that it did. */
  probeIfDue(): boolean {
    if (!this.#isOpen || this.#isProbing || this.#options.now() < this.#nextProbeMs) return false;
    this.#probe();
    return true;
  }

  #probe(): void {
    if (this.#isProbing) return;
    this.#isProbing = true;
    void this.#options.probe().then((isAlive) => {
      this.#isProbing = false;
      this.#nextProbeMs = this.#options.now() + PROBE_EVERY_MS;
      // Suspicion begins anew.
      this.#window = { endsMs: 0, replies: 0, silences: 0 };
      if (this.#isOpen === isAlive) this.#change(!isAlive);
    });
  }

  #change(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#options.onChange(isOpen);
  }

  #currentWindow() {
    const now = this.#options.now();
    if (now >= this.#window.endsMs) this.#window = { endsMs: now + WINDOW_MS, replies: 0, silences: 0 };
    return this.#window;
  }
}

/** Every resolver knows the servers of the root, most of them without asking another server. */
const PROBE: Question = { name: '.', type: 'NS' };

interface NameServerOptions {
  /** For the log. */
  readonly label: string;
  readonly transport: DnsAsker;
  /** Datagrams get lost, so silence is worth a second question; what TCP carries is sent again by TCP. */
  readonly isLossy: boolean;
  /** A server that says nothing for so long could have. */
  readonly patienceMs: number;
  readonly probeTimeoutMs: number;
  readonly now: () => number;
  readonly onChange: (label: string, isOut: boolean) => void;
}

/** One server and what is known of its health. */
export class NameServer implements DnsAsker {
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

/** A server that names are asked of. */
export interface DnsServerState {
  /** `127.0.0.1:5353`; of DNS over HTTPS the origin alone. */
  readonly server: string;
  /** The circuit is open: it does not reply, a probe has shown it, and it is left alone but for a probe now and then. */
  readonly isOut: boolean;
  /** When that began, or ended; ISO 8601. Null where it has replied from the start. */
  readonly since: string | null;
}

/** What the process knows of its DNS servers, for the dashboard. */
export class DnsHealth {
  readonly #clock: Clock;
  readonly #changes = new Map<string, string>();
  #current: () => readonly { readonly label: string; readonly isOut: boolean }[] = () => [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Names the servers that are asked, each time anew: the system's may change. */
  watch(current: () => readonly { readonly label: string; readonly isOut: boolean }[]): void {
    this.#current = current;
  }

  changed(server: string): void {
    this.#changes.set(server, isoTime(this.#clock.now()));
  }

  get servers(): readonly DnsServerState[] {
    return this.#current().map(({ label, isOut }) => ({
      server: label,
      isOut,
      since: this.#changes.get(label) ?? null,
    }));
  }
}

/** What is known of the servers that names are asked of. */
export const DNS_HEALTH: InjectionToken<DnsHealth> = Symbol('DnsHealth');
