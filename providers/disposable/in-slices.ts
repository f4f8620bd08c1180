import { setImmediate } from 'node:timers/promises';

/** Items in one slice: less than a millisecond of the work that is done for each domain of a list. */
const SLICE = 500;

/** Works through a long list and lets requests in between slices: a service prepares itself while it answers them. */
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
