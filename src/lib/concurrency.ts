/** Runs one task after the other, in the order of the calls. A task that throws rejects its own call alone. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Asks about up to `sideBySide` items at once and yields the answers in the order of the items. */
export async function* inOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  sideBySide: number,
  ask: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const asked: Promise<R>[] = [];
  for await (const item of items) {
    const answer = ask(item);
    // It is awaited later; until then a failure must not count as an unhandled rejection.
    answer.catch(() => undefined);
    asked.push(answer);
    const [oldest] = asked;
    if (asked.length < sideBySide || oldest === undefined) continue;
    asked.shift();
    yield await oldest;
  }
  for (const answer of asked) yield await answer;
}

/** Runs up to `atOnce` pieces of work at a time; askers take turns, so that an asker with much work does not delay the others. */
export class FairQueue {
  /** The waiting work by asker, the next asker first. Empty for an asker who has left since. */
  readonly #waiting = new Map<string, Set<() => Promise<void>>>();
  readonly #atOnce: number;
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** How many pieces of work wait for one asker, without those that run. */
  countOf(asker: string): number {
    return this.#waiting.get(asker)?.size ?? 0;
  }

  /** Rejects with what the work threw, or at once with the signal's reason. Work that has begun keeps its slot until it ends. */
  async run<T>(asker: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const start = () => work().then(resolve, reject);
    const leave = () => {
      this.#waiting.get(asker)?.delete(start);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#waiting.set(asker, (this.#waiting.get(asker) ?? new Set()).add(start));
    this.#startNext();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #startNext(): void {
    if (this.#running >= this.#atOnce) return;
    for (const [asker, own] of this.#waiting) {
      this.#waiting.delete(asker);
      const [start] = own;
      if (!start) continue;
      own.delete(start);
      if (own.size > 0) this.#waiting.set(asker, own);
      this.#running += 1;
      void start().finally(() => {
        this.#running -= 1;
        this.#startNext();
      });
      return;
    }
  }
}

/** Caches the last answer for callers with the same key, for `lifeMs`. A failed answer is dropped, so that the next call asks again. */
export class LastAnswer<Answer> {
  readonly #lifeMs: number;
  #last: { readonly key: string; readonly atMs: number; readonly answer: Promise<Answer> } | undefined;

  constructor(lifeMs = Infinity) {
    this.#lifeMs = lifeMs;
  }

  of(key: string, now: number, ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#last?.key === key && now - this.#last.atMs < this.#lifeMs) return this.#last.answer;
    const last = { key, atMs: now, answer: ask() };
    this.#last = last;
    last.answer.catch(() => {
      if (this.#last === last) this.forget();
    });
    return last.answer;
  }

  forget(): void {
    this.#last = undefined;
  }
}

/** Options of an LRUCache for so many entries. Its memory grows as it fills; with `max` it would allocate for all entries at once. */
export function upTo(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 };
}

/** Runs `task` on the first call alone; its result is that of all later calls too. For values made on demand, and where the first of two ends holds. */
export function once<Args extends readonly unknown[], T>(task: (...args: Args) => T): (...args: Args) => T {
  let done: { readonly result: T } | undefined;
  return (...args) => {
    done ??= { result: task(...args) };
    return done.result;
  };
}

/** Freezes a value and all that is in it, so that no holder can change it for the others. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
