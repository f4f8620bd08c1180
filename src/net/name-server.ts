import type { InjectionToken } from '../di.ts';
import { isoTime, withDeadline } from '../lib/time.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { Ask, Question, ServerReply } from './dns-message.ts';

/** The state of one name server, for logs and the dashboard. */
export interface DnsServerState {
  /** `127.0.0.1:5353`; for DNS over HTTPS, the origin alone. */
  readonly server: string;
  /** The server did not answer a probe. It gets only a probe now and then, and questions when all servers are out. */
  readonly isOut: boolean;
  /** When `isOut` last changed; ISO 8601. Null where it never did. */
  readonly since: string | null;
}

/** Returns the current name servers: the system's may change. */
export const DNS_SERVERS: InjectionToken<() => readonly DnsServerState[]> = Symbol('DnsServers');

/** Questions without a reply in the window that make a server suspect, if they are at least half of all. */
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
  /** True over UDP: a datagram may be lost, so a silent server is asked again. TCP resends by itself. */
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
 * A circuit breaker around one server. Silence makes the server suspect; only a probe without a reply puts it out. Otherwise a
 * client could switch DNS off by sending addresses of dead domains, about which even the best server is silent.
 */
export class NameServer implements DnsServerState {
  readonly server: string;
  readonly isLossy: boolean;
  /** When a server is silent for so long, the next server is asked beside it. */
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
      this.#setOut(false);
    } else if (reply.outcome === 'error' || now() - asked >= this.patienceMs) {
      // A question that was cut off sooner shows nothing about the server.
      this.#noteSilence();
    }
    return reply;
  }

  /** Starts a probe if the server is out and a probe is due; true if it did. */
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
    // Silences before the probe no longer count.
    this.#window = { endsMs: 0, replies: 0, silences: 0 };
    this.#setOut(!hasReplied(reply));
  }

  #setOut(isOut: boolean): void {
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
