import { BenchLane, type LaneOptions } from './bench-lane.ts';
import type { BenchAnswer, BenchMethod, BenchOpening, BenchOrder } from './bench-messages.ts';
import type { Asking, RuleJobs } from './rule-jobs.ts';

export interface ChildProcessBenchOptions extends BenchOpening {
  /** Another program, for tests of one that falls. */
  readonly program?: URL;
  /** In the place of all limits. */
  readonly limitMs?: number;
}

/** Compiled beside this file: the signals room has decorators, which node cannot run from TypeScript. */
const PROGRAM = new URL('./bench.process.js', import.meta.url);
/** Kept while somebody works with it, then ended: with the records in it, one holds some 400 MB. */
const WHILE_WORKING_MS = 300_000;
/** For what is asked now and then. */
const FOR_A_MOMENT_MS = 30_000;
/** 100,000 checks are 70 MB of it, and large rule sets more. A process that would take all the memory ends instead. */
const HEAP = '--max-old-space-size=768';

/** A process each, since in one process what is short would wait for what is long. */
const LANES = {
  /** As somebody types: the shipped rules take 0.1 s. */
  lint: { limitMs: 10_000, idleMs: WHILE_WORKING_MS, tooLong: 'rules_too_large' },
  /** The same rules with their tests, or twice; lists of 10,000 entries take seconds. */
  texts: { limitMs: 30_000, idleMs: FOR_A_MOMENT_MS, tooLong: 'busy' },
  /** To read the records takes a second, to judge them half of one. */
  replays: { limitMs: 30_000, idleMs: WHILE_WORKING_MS, tooLong: 'busy' },
  /** Reads all records of the days that are asked for. */
  shadow: { limitMs: 60_000, idleMs: FOR_A_MOMENT_MS, tooLong: 'busy' },
} as const satisfies Record<string, Pick<LaneOptions, 'limitMs' | 'idleMs' | 'tooLong'>>;
type LaneName = keyof typeof LANES;

const LANE_OF = {
  lint: 'lint',
  test: 'texts',
  compare: 'texts',
  patch: 'texts',
  merge: 'texts',
  readList: 'texts',
  editList: 'texts',
  replay: 'replays',
  shadow: 'shadow',
} as const satisfies Record<BenchMethod, LaneName>;

/**
 * Works on rules in processes of their own, so that no request waits and what goes wrong there ends nothing else. Not in a worker, for
 * the reason that `updateInProcess` gives.
 */
export class ChildProcessBench implements RuleJobs {
  readonly #options: ChildProcessBenchOptions;
  readonly #lanes = new Map<LaneName, BenchLane>();

  constructor(options: ChildProcessBenchOptions) {
    this.#options = options;
  }

  lint(files: BenchOrder<'lint'>, asking?: Asking): Promise<BenchAnswer<'lint'>> {
    return this.#ask('lint', files, asking);
  }

  test(files: BenchOrder<'test'>, asking?: Asking): Promise<BenchAnswer<'test'>> {
    return this.#ask('test', files, asking);
  }

  replay(order: BenchOrder<'replay'>, asking?: Asking): Promise<BenchAnswer<'replay'>> {
    return this.#ask('replay', order, asking);
  }

  shadow(order: BenchOrder<'shadow'>, asking?: Asking): Promise<BenchAnswer<'shadow'>> {
    return this.#ask('shadow', order, asking);
  }

  compare(order: BenchOrder<'compare'>, asking?: Asking): Promise<BenchAnswer<'compare'>> {
    return this.#ask('compare', order, asking);
  }

  patch(order: BenchOrder<'patch'>, asking?: Asking): Promise<BenchAnswer<'patch'>> {
    return this.#ask('patch', order, asking);
  }

  merge(order: BenchOrder<'merge'>, asking?: Asking): Promise<BenchAnswer<'merge'>> {
    return this.#ask('merge', order, asking);
  }

  readList(list: BenchOrder<'readList'>, asking?: Asking): Promise<BenchAnswer<'readList'>> {
    return this.#ask('readList', list, asking);
  }

  editList(edit: BenchOrder<'editList'>, asking?: Asking): Promise<BenchAnswer<'editList'>> {
    return this.#ask('editList', edit, asking);
  }

  /** For good. */
  close(): void {
    for (const name of Object.values(LANE_OF)) this.#lane(name).close();
  }

  async #ask<M extends BenchMethod>(
    method: M,
    order: BenchOrder<M>,
    asking: Asking = {},
  ): Promise<BenchAnswer<M>> {
    // The process answers with what the method returned, and methods return plain data.
    return (await this.#lane(LANE_OF[method]).ask({ method, order }, asking)) as BenchAnswer<M>;
  }

  #lane(name: LaneName): BenchLane {
    const known = this.#lanes.get(name);
    if (known) return known;
    const { config, providerOptions, program = PROGRAM, limitMs = LANES[name].limitMs } = this.#options;
    const lane = new BenchLane({
      ...LANES[name],
      limitMs,
      program,
      execArgv: [HEAP],
      opening: { config, providerOptions } satisfies BenchOpening,
    });
    this.#lanes.set(name, lane);
    return lane;
  }
}
