/** Octets that tables may still grow by; one for all of them. */
export interface MemoryBudget {
  left: number;
}

export interface SlotTableOptions {
  /** 16-bit cells of each slot, for who uses the table. */
  readonly cells: number;
  /** A slot that was not used for so many units of time holds nothing any more. */
  readonly life: number;
  readonly mostSlots: number;
  readonly budget: MemoryBudget;
}

/** Slots that a hash may lie in. A table is two thirds full before the first set of 16 is. */
const WAYS = 16;
const FIRST_SETS = 16;
/** The hash and the time of the last use; a cell has two. */
const OCTETS_OF_SLOT = 16;
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Slots found by a 64-bit hash, in typed arrays: bounded in memory, outside of the heap, nothing for the collector to
 * walk. It doubles while it may; then who comes new takes the place of who was counted least, and of those of the oldest.
 */
export class SlotTable {
  readonly #options: SlotTableOptions;
  #mask = FIRST_SETS - 1;
  #hashes = new Uint32Array(2 * FIRST_SETS * WAYS);
  #used = new Float64Array(FIRST_SETS * WAYS).fill(NEVER);
  #cells: Uint16Array;
  /** Slots that were taken from who still counted. */
  forgotten = 0;

  constructor(options: SlotTableOptions) {
    this.#options = options;
    this.#cells = new Uint16Array(options.cells * FIRST_SETS * WAYS);
    // The first slots are had without asking: or the first account could leave the next with none.
    options.budget.left -= this.octets;
  }

  get octets(): number {
    return this.#used.length * (OCTETS_OF_SLOT + 2 * this.#options.cells);
  }

  /** Cells of all slots, slot by slot; another array after each `claim`. */
  get cells(): Uint16Array {
    return this.#cells;
  }

  /** When the slot was last used, in the units of `life`. */
  usedAt(slot: number): number {
    return this.#used[slot] as number;
  }

  use(slot: number, now: number): void {
    this.#used[slot] = now;
  }

  /** -1 where there is none. What it finds may have outlived its `life`. */
  find(low: number, high: number): number {
    const hashes = this.#hashes;
    const from = (low & this.#mask) * WAYS;
    for (let slot = from; slot < from + WAYS; slot++) {
      if (hashes[2 * slot] === low && hashes[2 * slot + 1] === high && this.#used[slot] !== NEVER)
        return slot;
    }
    return -1;
  }

  /** A slot for a hash that has none, used now, its cells at 0. */
  claim(low: number, high: number, now: number): number {
    let slot = this.#free(low, now);
    while (slot === -1 && this.#grow(now)) slot = this.#free(low, now);
    if (slot === -1) {
      slot = this.#least(low);
      this.forgotten += 1;
    }
    this.#hashes[2 * slot] = low;
    this.#hashes[2 * slot + 1] = high;
    this.#used[slot] = now;
    this.empty(slot);
    return slot;
  }

  /** Sets the slot's cells to 0. */
  empty(slot: number): void {
    const { cells } = this.#options;
    for (let cell = slot * cells; cell < (slot + 1) * cells; cell++) this.#cells[cell] = 0;
  }

  /** Gives the hash up; the slot is free. */
  release(slot: number): void {
    this.#used[slot] = NEVER;
  }

  #free(low: number, now: number): number {
    const from = (low & this.#mask) * WAYS;
    for (let slot = from; slot < from + WAYS; slot++) {
      if (!this.#isLive(slot, now)) return slot;
    }
    return -1;
  }

  #isLive(slot: number, now: number): boolean {
    return now - (this.#used[slot] as number) < this.#options.life;
  }

  #least(low: number): number {
    const { cells } = this.#options;
    const from = (low & this.#mask) * WAYS;
    let least = from;
    let leastSum = Number.POSITIVE_INFINITY;
    for (let n = 0; n < WAYS; n++) {
      // Begins elsewhere each time: or who came last would always go first, all else being equal.
      const slot = from + ((n + this.forgotten) % WAYS);
      let sum = 0;
      for (let cell = slot * cells; cell < (slot + 1) * cells; cell++) sum += this.#cells[cell] as number;
      if (sum > leastSum || (sum === leastSum && this.usedAt(slot) >= this.usedAt(least))) continue;
      least = slot;
      leastSum = sum;
    }
    return least;
  }

  #grow(now: number): boolean {
    const { cells, mostSlots, budget } = this.#options;
    const slots = this.#used.length;
    if (2 * slots > mostSlots || this.octets > budget.left) return false;
    budget.left -= this.octets;
    const [hashes, used, counted] = [this.#hashes, this.#used, this.#cells];
    this.#mask = 2 * (this.#mask + 1) - 1;
    this.#hashes = new Uint32Array(4 * slots);
    this.#used = new Float64Array(2 * slots).fill(NEVER);
    this.#cells = new Uint16Array(2 * slots * cells);
    for (let old = 0; old < slots; old++) {
      const at = used[old] as number;
      if (now - at >= this.#options.life) continue;
      const low = hashes[2 * old] as number;
      // A set's slots go to two sets, so that there is room for each.
      const slot = this.#free(low, now);
      this.#hashes[2 * slot] = low;
      this.#hashes[2 * slot + 1] = hashes[2 * old + 1] as number;
      this.#used[slot] = at;
      for (let cell = 0; cell < cells; cell++) {
        this.#cells[slot * cells + cell] = counted[old * cells + cell] as number;
      }
    }
    return true;
  }
}
