/** So many questions without a reply, and at least half of all in the window, make a server suspect. */
const SUSPECT_AFTER = 5;
const WINDOW_MS = 10_000;
/** How long a server that is out is left alone between two probes. */
const PROBE_EVERY_MS = 5_000;

export interface CircuitBreakerOptions {
  /** Asks the server something that any living one replies to; true when it did. Never rejects. */
  readonly probe: () => Promise<boolean>;
  /** Told once each time. */
  readonly onChange: (isOpen: boolean) => void;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

/**
 * Knows whether a server is worth asking. Silence makes it suspect, and only a probe without a reply opens the
 * circuit: or whoever sends addresses of dead domains, on which the best server is silent, could switch DNS off.
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
