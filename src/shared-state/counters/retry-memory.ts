import { type MemoryBudget, SlotTable } from './slot-table.ts';

/** The same canonical form from the same key within this counts once. */
export const RETRY_MS = 10 * 60_000;
const MOST_SLOTS = 2 ** 17;

/** Which checks were counted a moment ago, so that the client's next try of the same is not counted again. */
export class RetryMemory {
  readonly #table: SlotTable;

  constructor(budget: MemoryBudget) {
    this.#table = new SlotTable({ cells: 0, life: RETRY_MS, mostSlots: MOST_SLOTS, budget });
  }

  get octets(): number {
    return this.#table.octets;
  }

  get forgotten(): number {
    return this.#table.forgotten;
  }

  /** Whether it was counted less than ten minutes before `at`; if not, it is from now on. */
  isRetry(low: number, high: number, at: number): boolean {
    const slot = this.#table.find(low, high);
    if (slot === -1) {
      this.#table.claim(low, high, at);
      return false;
    }
    // Ten minutes from when it was counted, not from the last try: or who tries each minute would count once a day.
    const ago = at - this.#table.usedAt(slot);
    if (ago < RETRY_MS && ago > -RETRY_MS) return true;
    this.#table.use(slot, at);
    return false;
  }

  /** It was not answered after all. */
  forget(low: number, high: number): void {
    const slot = this.#table.find(low, high);
    if (slot !== -1) this.#table.release(slot);
  }
}
