import { PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { AllocationPace } from './allocation-pace.ts';
import { collectYoung, halfOfYoung } from './young-generation.ts';

const MIB = 1024 * 1024;

interface HeapBounds {
  /** The young generation, both halves, in octets. What a check leaves behind is garbage within milliseconds. */
  readonly enoughYoung: number;
  /** Whether the young generation is collected while the old one is marked. */
  readonly phasesOverlap: boolean;
  /** Whether V8 has the quicker of its two optimizing compilers. */
  readonly hasMaglev: boolean;
}

/**
 * How much garbage the old generation may hold, in percent of what is alive after a collection, of which each takes some 15 ms.
 * At 25 percent a million checks of a file take a twentieth longer, at 100 they need 20 MB more, and a service 25.
 */
const OLD_GARBAGE_PERCENT = 50;

/** Elsewhere V8 would complain of the flag on standard error. */
export const canOverlapPhases = Number(process.versions.v8.split('.')[0]) < 14;

/**
 * Larger ones were not faster.
 *
 * V8 puts collections of the young generation off while it marks the old one, lets the young one grow by up to 32 MB
 * instead, as a busy process does in those 60 ms, and keeps the pages. From version 14, Node 25, it cannot be told otherwise.
 */
const COMMAND: HeapBounds = { enoughYoung: 8 * MIB, phasesOverlap: canOverlapPhases, hasMaglev: true };

/**
 * Requests that wait for their commit outlive a small young generation and fill the old one: with the one of a command the
 * service collected the old generation twice a second under load, which took a fifth of all its CPU time. It marks seldom,
 * and gains too little by overlapping phases to leave what V8 itself runs with.
 *
 * What Maglev works with while a process warms up, some 25 MB, goes back to the allocator, which keeps it. A service that is warm
 * is as fast without; a command, which never is for long, would be slower.
 */
const BUSY_SERVICE: HeapBounds = { enoughYoung: 32 * MIB, phasesOverlap: false, hasMaglev: false };

/**
 * Most of what a start makes stays: a large young generation would only be more pages to touch, a twentieth of the start. And who
 * makes little takes long to fill a small one.
 */
const CALM_SERVICE: HeapBounds = { ...BUSY_SERVICE, enoughYoung: 4 * MIB };

/**
 * A service that was busy and has been calm for so long has V8 look whether there is memory to give back. V8 asks itself that
 * at collections only, and a process that does nothing has none: 250 MB stayed 250 for ever, 60 of which nothing needed.
 *
 * What V8 then does, within ten seconds, takes two pauses of some 20 ms, and optimized code with it that knows of objects of which none is
 * left: the next burst costs a second of CPU time more. So not after each short breath.
 */
const REST_MS = 60_000;

/** What holds now; none where nobody bounded the heap, as in a process that is not ours. */
let bounds: HeapBounds | undefined;
const pace = new AllocationPace();
/** Of a service that is ready; runs out when it has been calm for long enough. */
let rest: NodeJS.Timeout | undefined;

/**
 * Keeps a command's heap near what is alive in it, some 35 MB, and the service's within twice of what is alive in it. V8 would let the
 * young generation grow to 128 MB on a machine with memory to spare, and keep it. The documented
 * `--max-semi-space-size` is read before any of our code runs and would take a second process; the factor of growth is
 * read at each growth, and looked at after each collection: V8 shrinks the young generation of a process that idles, and
 * a service that stays at 2 MB is a third slower ever after. bin/postern.js has set it so that the size is reached by now.
 *
 * And nothing is made in the old generation at once. V8 does so where what it made has lived long, as all that belongs to
 * a request does while a slow disk holds the commits up. It never takes that back: what is made old keeps the whole of its
 * request until the old generation is collected, which one service in five then did every second, a fifth slower.
 *
 * Nor do other threads help to collect the young generation: little of it is alive, and to wake them takes longer than it.
 */
export function boundHeap(command: string | undefined): void {
  bounds = command === 'serve' ? CALM_SERVICE : COMMAND;
  setFlagsFromString(`--heap-growing-percent=${OLD_GARBAGE_PERCENT}`);
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--no-parallel-scavenge');
  if (!bounds.hasMaglev) setFlagsFromString('--no-maglev');
  if (bounds.phasesOverlap) setFlagsFromString('--no-separate-gc-phases');
  steer();
  new PerformanceObserver((list) => {
    pace.heed(list.getEntries(), halfOfYoung());
    if (rest) bounds = pace.isBusy ? BUSY_SERVICE : CALM_SERVICE;
    if (pace.isBusy) rest?.refresh();
    steer();
  }).observe({ entryTypes: ['gc'] });
}

/** To be called when the service is ready. It counts as busy until the first collection tells: a burst may wait for it. */
export function boundHeapOfService(restMs = REST_MS): void {
  if (bounds === undefined) return;
  bounds = BUSY_SERVICE;
  rest = setTimeout(collectYoung, restMs).unref();
  steer();
}

function steer(): void {
  if (bounds) setFlagsFromString(`--semi-space-growth-factor=${growthFactor(bounds.enoughYoung)}`);
}

/** What takes the young generation to the size in one step, and never beyond it. */
function growthFactor(enoughYoung: number): number {
  const half = halfOfYoung();
  // Under another V8 growth goes on as V8 has it.
  if (half === undefined) return 2;
  return Math.max(1, Math.floor(enoughYoung / 2 / half));
}
