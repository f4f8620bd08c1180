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

/** A queue that is fair between askers: the next item is that of the asker who was served longest ago. */
export class FairQueue<Item> {
  /** By asker, the next one first; an asker without items has no entry. */
  readonly #waiting = new Map<string, Item[]>();

  /** Items of one asker. */
  countOf(asker: string): number {
    return this.#waiting.get(asker)?.length ?? 0;
  }

  add(asker: string, item: Item): void {
    const items = this.#waiting.get(asker);
    if (items) items.push(item);
    else this.#waiting.set(asker, [item]);
  }

  /** Undefined when the queue is empty. */
  take(): Item | undefined {
    for (const [asker, [item, ...others]] of this.#waiting) {
      this.#waiting.delete(asker);
      if (others.length > 0) this.#waiting.set(asker, others);
      return item;
    }
    return undefined;
  }

  remove(asker: string, item: Item): void {
    const others = this.#waiting.get(asker)?.filter((other) => other !== item) ?? [];
    if (others.length > 0) this.#waiting.set(asker, others);
    else this.#waiting.delete(asker);
  }
}

/** What was asked for last, for those who ask for the same until it is too old. What failed may go well the next time. */
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

/** Options of an LRUCache for so many entries, which takes memory as it fills: with `max` it would take that of all at once. */
export function upTo(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 };
}

/** Made when it is first asked for, and kept: what takes milliseconds to make and may never be asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The same value, with all that is in it: of those who hold it none can change it for the others. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
