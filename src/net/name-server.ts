import type { InjectionToken } from '../di.ts';
import { isoTime, withDeadline } from '../lib/time.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { Ask, Question, ServerReply } from './dns-message.ts';

/** A server that names are asked of, for logs and the dashboard. */
export interface DnsServerState {
  /** `127.0.0.1:5353`; of DNS over HTTPS the origin alone. */
  readonly server: string;
  /** It does not reply and a probe has shown that; it is left alone but for a probe now and then. */
  readonly isOut: boolean;
  /** When that began, or ended; ISO 8601. Null where it has replied from the start. */
  readonly since: string | null;
}

/** The servers that names are asked of, as they are now: the system's may change. */
export const DNS_SERVERS: InjectionToken<() => readonly DnsServerState[]> = Symbol('DnsServers');

/** So many questions without a reply, and at least half of all in the window, make a server suspect. */
const SUSPECT_AFTER = 5;
const WINDOW_MS = 10_000;
/** How long a server that is out is left alone between two probes. */
const PROBE_EVERY_MS = 5_000;
/** Every resolver knows the servers of the root, most of them without asking another server. */
const PROBE: Question = { name: '.', type: 'NS' };

interface NameServerOptions {
  /** For the log. */
  readonly server: string;
  readonly ask: Ask<ServerReply>;
  /** Datagrams get lost, so silence is worth a second question; what TCP carries is sent again by TCP. */
  readonly isLossy: boolean;
  /** For a question as a whole. */
  readonly timeoutMs: number;
  /** Milliseconds that only grow. */
  readonly now: () => number;
  readonly clock: Clock;
  /** Called once each time that the server stops replying, or replies again. */
  readonly onChange: (server: string, isOut: boolean) => void;
}

/**
 * One server, and whether it is worth asking: a circuit breaker. Silence makes it suspect, and only a probe without a reply puts
 * it out: or a client that sends addresses of dead domains, on which the best server is silent, could switch DNS off.
 */
export class NameServer implements DnsServerState {
  readonly server: string;
  readonly isLossy: boolean;
  /** A server that says nothing for so long could have: another is asked beside it. */
  readonly patienceMs: number;
  isOut = false;
  since: string | null = null;
  readonly #options: NameServerOptions;
  #isProbing = false;
  #nextProbeMs = 0;
  #window = { endsMs: 0, replies: 0, silences: 0 };

  constructor(options: NameServerOptions) {
    this.#options = options;
    this.server = options.server;
    this.isLossy = options.isLossy;
    this.patienceMs = options.timeoutMs / 3;
  }

  async ask(question: Question, signal: AbortSignal): Promise<ServerReply> {
    const { ask, now } = this.#options;
    const asked = now();
    const reply = await ask(question, signal);
    if (hasReplied(reply)) {
      this.#currentWindow().replies++;
      this.#turn(false);
    } else if (reply.outcome === 'error' || now() - asked >= this.patienceMs) {
      // One that was cut off a moment after it was asked has shown nothing.
      this.#noteSilence();
    }
    return reply;
  }

  /** Probes a server that is out when it is time, and says whether it did. */
  probeIfDue(): boolean {
    if (!this.isOut || this.#isProbing || this.#options.now() < this.#nextProbeMs) return false;
    void this.#probe();
    return true;
  }

  #noteSilence(): void {
    const window = this.#currentWindow();
    window.silences++;
    const isSuspect = window.silences >= SUSPECT_AFTER && window.silences >= window.replies;
    if (isSuspect && !this.isOut && !this.#isProbing) void this.#probe();
  }

  async #probe(): Promise<void> {
    const { ask, timeoutMs, now } = this.#options;
    this.#isProbing = true;
    const reply = await withDeadline(timeoutMs, (signal) => ask(PROBE, signal));
    this.#isProbing = false;
    this.#nextProbeMs = now() + PROBE_EVERY_MS;
    // Suspicion begins anew.
    this.#window = { endsMs: 0, replies: 0, silences: 0 };
    this.#turn(!hasReplied(reply));
  }

  #turn(isOut: boolean): void {
    if (this.isOut === isOut) return;
    this.isOut = isOut;
    this.since = isoTime(this.#options.clock.now());
    this.#options.onChange(this.server, isOut);
  }

  #currentWindow() {
    const now = this.#options.now();
    if (now >= this.#window.endsMs) this.#window = { endsMs: now + WINDOW_MS, replies: 0, silences: 0 };
    return this.#window;
  }
}

/** Any reply, a failure too, shows that the server lives. */
function hasReplied({ outcome }: ServerReply): boolean {
  return outcome !== 'timeout' && outcome !== 'error';
}
