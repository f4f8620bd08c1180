/** Who waits for their turn: the next is of whoever was served longest ago, so that nobody waits for all that another has brought. */
export class Turns<Item> {
  /** By who asks; whose turn is next comes first. Nobody stands here without an item. */
  readonly #waiting = new Map<string, Item[]>();

  /** How many of theirs wait. */
  countOf(asker: string): number {
    return this.#waiting.get(asker)?.length ?? 0;
  }

  add(asker: string, item: Item): void {
    const items = this.#waiting.get(asker);
    if (items) items.push(item);
    else this.#waiting.set(asker, [item]);
  }

  /** Undefined when nobody waits. */
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
