interface Waiting {
  readonly keys: readonly string[];
  readonly give: () => void;
}

/** Lets few do something at once, and never two who share a key. Who waits longest goes first, unless a key of his is taken. */
export class Turns {
  readonly #atOnce: number;
  readonly #taken = new Set<string>();
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Runs `task` when it is its turn. */
  async run<Result>(keys: readonly string[], task: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((give) => {
      this.#waiting.push({ keys, give });
      this.#giveOut();
    });
    try {
      return await task();
    } finally {
      this.#running -= 1;
      for (const key of keys) this.#taken.delete(key);
      this.#giveOut();
    }
  }

  #giveOut(): void {
    for (let at = 0; at < this.#waiting.length && this.#running < this.#atOnce; ) {
      const next = this.#waiting[at];
      if (next === undefined || next.keys.some((key) => this.#taken.has(key))) {
        at += 1;
        continue;
      }
      this.#waiting.splice(at, 1);
      this.#running += 1;
      for (const key of next.keys) this.#taken.add(key);
      next.give();
    }
  }
}
