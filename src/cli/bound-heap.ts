import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Of both halves, in octets. Larger ones were not faster: what a check leaves behind is garbage within milliseconds. */
const ENOUGH_YOUNG = 16 * 1024 * 1024;

/**
 * How much garbage the old generation may hold, in percent of what is alive after a collection. V8 lets it be
 * several times as much. A collection takes some 15 ms, and a million checks need about 20 of them.
 */
const OLD_GARBAGE_PERCENT = 25;

/**
 * Keeps the heap near what is alive in it, some 45 MB. V8 would let the young generation grow to 128 MB on a machine
 * with memory to spare, and keep it. The documented `--max-semi-space-size` is read before any of our code runs and
 * would take a second process; the factor of growth is read at each growth. bin/postern.js has set it so that the
 * size is reached by now; where it is not, under another V8, growth goes on as V8 has it.
 */
export function boundHeap(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  const isGrown = young !== undefined && young.space_size >= ENOUGH_YOUNG;
  setFlagsFromString(`--semi-space-growth-factor=${isGrown ? 1 : 2}`);
  setFlagsFromString(`--heap-growing-percent=${OLD_GARBAGE_PERCENT}`);
}
