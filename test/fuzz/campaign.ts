import { join } from 'node:path';
import { createOpener } from './connection.ts';
import type { FuzzCase } from './fuzz-case.ts';
import { BATCH_SIZE, MARKER, makeCase, makeQuickCases } from './make-case.ts';
import { CaseRunner, type Failure } from './run-case.ts';
import {
  DEADLINE_MS,
  type Holding,
  type ServiceUnderFuzz,
  startServiceUnderFuzz,
} from './service-under-fuzz.ts';

export interface CampaignOptions {
  readonly seed: number;
  /** Cases from the first one on, in whole batches. */
  readonly count: number;
  /** Ends before all are run. */
  readonly seconds?: number;
  /** An empty one, for the service's data. */
  readonly directory: string;
  /** Told of so many more cases. */
  readonly onProgress?: (cases: number) => void;
}

/** A failure and what it takes to bring it about again. */
export interface SeededFailure extends Failure {
  readonly seed: number;
  /** They stand in the bytes that were sent. */
  readonly keys: readonly string[];
}

export interface CampaignReport {
  readonly cases: number;
  readonly seconds: number;
  /** Statuses of the answers, and how many connections ended without one. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly failures: readonly SeededFailure[];
  /** What is wrong with the service rather than with one answer: its log, its memory, its end. */
  readonly faults: readonly string[];
  readonly logLines: number;
  /** Of the service after the cases that warm it up, and after all. */
  readonly memory: { readonly warm: Holding; readonly end: Holding };
}

/** Clients that keep the service busy. */
const QUICK_CLIENTS = 24;
/** Connections that wait for a time-out, at once; a few seconds each. */
const SLOW_CLIENTS = 200;
/** Cases until caches and compiled code have their size: from then on the heap was the same to a megabyte, up to 20,000. */
const WARM_UP = 5_000;
/**
 * What the heap of the service may grow by after that. Tables with a bound of their own still fill: a looked-up domain takes
 * some 500 bytes, and the velocity counts of a check some 400. A leak of 500 bytes a case would be 4.8 MiB in the 10,000 that
 * are left of 15,000.
 */
export const HEAP_GROWTH_BYTES = 5 * 2 ** 20;
/** More of them say nothing new. */
const ENOUGH_FAILURES = 20;

/** Keys, local parts, bodies and paths that were sent: no line of the log may hold any. */
const SECRETS = new RegExp(`${MARKER}|pst_(?:live|test)_[0-9a-z]{8}`, 'i');

/** Starts a service, attacks it, and tells all that it did not stand. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { count, directory, seconds = Number.POSITIVE_INFINITY } = options;
  const began = performance.now();
  const service = await startServiceUnderFuzz(join(directory, 'data'), SECRETS);
  const attack = new Attack(service, options, began + seconds * 1000);
  try {
    const batches = Array.from({ length: Math.ceil(count / BATCH_SIZE) }, (_, number) => number);
    await attack.run(batches.slice(0, WARM_UP / BATCH_SIZE));
    const warm = await service.measureAtRest();
    await attack.run(batches.slice(WARM_UP / BATCH_SIZE));
    const end = await service.measureAtRest();
    const faults = [...faultsOfMemory(warm, end), ...(await service.stop())];
    faults.push(...service.log.faults.map(({ reason, line }) => `${reason}: ${line}`));
    const { cases, outcomes, failures } = attack;
    return {
      ...{ cases, outcomes, failures, faults, memory: { warm, end }, logLines: service.log.lines },
      seconds: (performance.now() - began) / 1000,
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Runs batches side by side. */
class Attack {
  readonly #service: ServiceUnderFuzz;
  readonly #options: CampaignOptions;
  readonly #endsAt: number;
  readonly #runner: CaseRunner;
  /** Slow cases under way, which quick ones do not wait for. */
  readonly #slow = new Set<Promise<void>>();
  readonly failures: SeededFailure[] = [];
  cases = 0;

  constructor(service: ServiceUnderFuzz, options: CampaignOptions, endsAt: number) {
    this.#service = service;
    this.#options = options;
    this.#endsAt = endsAt;
    this.#runner = new CaseRunner(createOpener(service.listeners), DEADLINE_MS);
  }

  get outcomes(): ReadonlyMap<string, number> {
    return this.#runner.outcomes;
  }

  /** Resolves when every batch is over, its connections included. */
  async run(batches: readonly number[]): Promise<void> {
    const next = batches.values();
    await Promise.all(Array.from({ length: QUICK_CLIENTS }, () => this.#attack(next)));
    while (this.#slow.size > 0) await Promise.race(this.#slow);
    this.#runner.close();
  }

  get #isOver(): boolean {
    return (
      performance.now() > this.#endsAt || this.failures.length >= ENOUGH_FAILURES || !this.#service.isAlive()
    );
  }

  async #attack(batches: Iterator<number>): Promise<void> {
    const { seed, onProgress } = this.#options;
    for (let next = batches.next(); !next.done && !this.#isOver; next = batches.next()) {
      const batch = next.value;
      while (this.#slow.size >= SLOW_CLIENTS) await Promise.race(this.#slow);
      const slow = this.#run(makeCase(seed, batch * BATCH_SIZE, this.#service));
      this.#slow.add(slow);
      void slow.finally(() => this.#slow.delete(slow));
      for (const fuzzCase of makeQuickCases(seed, batch, this.#service)) await this.#run(fuzzCase);
      onProgress?.(BATCH_SIZE);
    }
  }

  async #run(fuzzCase: FuzzCase): Promise<void> {
    const { liveKey, testKey } = this.#service;
    const failure = await this.#runner.run(fuzzCase);
    if (failure) this.failures.push({ seed: this.#options.seed, keys: [liveKey, testKey], ...failure });
    this.cases += fuzzCase.numbers.length;
  }
}

function faultsOfMemory(warm: Holding, end: Holding): string[] {
  const grown = {
    heapUsed: end.heapUsed - warm.heapUsed,
    'arrayBuffers less the counts': end.arrayBuffers - end.counts - (warm.arrayBuffers - warm.counts),
  };
  return Object.entries(grown).flatMap(([what, octets]) =>
    octets > HEAP_GROWTH_BYTES ? [`${what} grew by ${octets} bytes`] : [],
  );
}
