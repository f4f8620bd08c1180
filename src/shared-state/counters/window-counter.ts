import type { CountWindow } from '../../provider-kit/index.ts';
import { type MemoryBudget, SlotTable } from './slot-table.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A window is counted in so many parts, and moves on by one part at a time. */
export const PARTS = 12;
/** Part of a window counts no further than this. */
const MOST = 0xffff;

/** How long a part of the window is, and for how many texts of one account counts are kept at most. */
export const WINDOWS: Readonly<Record<CountWindow, { readonly partMs: number; readonly mostSlots: number }>> =
  {
    '1h': { partMs: 5 * MINUTE_MS, mostSlots: 2 ** 16 },
    '24h': { partMs: 2 * HOUR_MS, mostSlots: 2 ** 18 },
  };

/**
 * How often each hash was counted in a sliding window: this part and the eleven before it, which is the last 55 to 60
 * minutes, or 22 to 24 hours. Never more than the window holds, never less than its last eleven twelfths.
 */
export class WindowCounter {
  readonly #partMs: number;
  readonly #table: SlotTable;

  constructor(window: CountWindow, budget: MemoryBudget) {
    const { partMs, mostSlots } = WINDOWS[window];
    this.#partMs = partMs;
    this.#table = new SlotTable({ cells: PARTS, life: PARTS, mostSlots, budget });
  }

  get octets(): number {
    return this.#table.octets;
  }

  /** Hashes given up for want of memory. */
  get forgotten(): number {
    return this.#table.forgotten;
  }

  /** Counts once at `at`, in ms since the epoch; returns how often it was counted in the window, this time included. */
  add(low: number, high: number, at: number): number {
    const part = this.#partOf(at);
    let slot = this.#table.find(low, high);
    if (slot === -1) slot = this.#table.claim(low, high, part);
    else this.#moveOn(slot, part);
    const cell = this.#cell(slot, this.#table.usedAt(slot));
    const { cells } = this.#table;
    const counted = cells[cell] as number;
    if (counted < MOST) cells[cell] = counted + 1;
    return this.#sum(slot);
  }

  /** How often it was counted in the window. */
  read(low: number, high: number, at: number): number {
    const slot = this.#table.find(low, high);
    if (slot === -1) return 0;
    this.#moveOn(slot, this.#partOf(at));
    return this.#sum(slot);
  }

  /** Takes back what `add` counted at `at`. */
  undo(low: number, high: number, at: number): void {
    const slot = this.#table.find(low, high);
    if (slot === -1) return;
    const { cells } = this.#table;
    const then = this.#cell(slot, this.#partOf(at));
    // It was counted in a later part when the clock had been set back.
    const cell = (cells[then] as number) > 0 ? then : this.#cell(slot, this.#table.usedAt(slot));
    if ((cells[cell] as number) > 0) cells[cell] = (cells[cell] as number) - 1;
    if (this.#sum(slot) === 0) this.#table.release(slot);
  }

  #partOf(at: number): number {
    return Math.floor(at / this.#partMs);
  }

  #cell(slot: number, part: number): number {
    // Of whole numbers, which a remainder costs a tenth of what it costs of others. No clock shows a time before 1970.
    return slot * PARTS + ((part | 0) % PARTS);
  }

  /** Empties what has left the window. A clock that was set back by less than a window counts in the newest part. */
  #moveOn(slot: number, part: number): void {
    const last = this.#table.usedAt(slot);
    const gone = part - last;
    if (gone === 0 || (gone < 0 && gone > -PARTS)) return;
    const { cells } = this.#table;
    if (gone >= PARTS || gone < 0) this.#table.empty(slot);
    else for (let next = last + 1; next <= part; next++) cells[this.#cell(slot, next)] = 0;
    this.#table.use(slot, part);
  }

  #sum(slot: number): number {
    const { cells } = this.#table;
    let sum = 0;
    for (let cell = slot * PARTS; cell < (slot + 1) * PARTS; cell++) sum += cells[cell] as number;
    return sum;
  }
}
