import { setImmediate } from 'node:timers/promises';

/** About a millisecond of the work that lists make per entry. */
const SLICE = 2_000;

/** For long lists: lets requests be served in between, so that a service takes a list without a pause. */
export async function inSlices<Item>(items: Iterable<Item>, each: (item: Item) => void): Promise<void> {
  let left = SLICE;
  for (const item of items) {
    each(item);
    left -= 1;
    if (left > 0) continue;
    left = SLICE;
    await setImmediate();
  }
}
