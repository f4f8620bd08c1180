import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Of both halves, in octets. Larger ones were not faster: what a check leaves behind is garbage within milliseconds. */
const ENOUGH = 16 * 1024 * 1024;

/**
 * Stops the growth of the heap's young generation. V8 would go on to 128 MB on a machine with memory to spare, and
 * keep it. The documented `--max-semi-space-size` is read before any of our code runs and would take a second
 * process; the factor is read at each growth. bin/postern.js has set it so that this size is reached by now; where
 * it is not, under another V8, growth goes on as V8 has it.
 */
export function boundYoungGeneration(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  const isGrown = young !== undefined && young.space_size >= ENOUGH;
  setFlagsFromString(`--semi-space-growth-factor=${isGrown ? 1 : 2}`);
}
