import { isoTime } from '../lib/dates.ts';
import type { Clock } from '../provider-kit/index.ts';

/** A server that names are asked of. */
export interface DnsServerState {
  /** `127.0.0.1:5353`; of DNS over HTTPS the origin alone. */
  readonly server: string;
  /** The circuit is open: it does not reply, a probe has shown it, and it is left alone but for a probe now and then. */
  readonly isOut: boolean;
  /** When that began, or ended; ISO 8601. Null where it has replied from the start. */
  readonly since: string | null;
}

/** What the process knows of its DNS servers, for whoever looks. */
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
