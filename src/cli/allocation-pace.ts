import { constants, type NodeGCPerformanceDetail, type PerformanceEntry } from 'node:perf_hooks';

/** Some 400 checks. To collect a young generation of 4 MiB at this pace takes a hundredth of the time. */
const BUSY_OCTETS_PER_SECOND = 16 * 1024 * 1024;

/** How fast a process makes objects, by how soon the young generation of its heap is full again. */
export class AllocationPace {
  #isBusy = false;
  #before: { readonly at: number; readonly half: number } | undefined;

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** `collections` as a `PerformanceObserver` tells them; `half`: what one of those to come will find, in octets. */
  heed(collections: readonly PerformanceEntry[], half: number | undefined): void {
    if (half === undefined) return;
    for (const { startTime: at } of collections.filter(isOfYoung)) {
      if (this.#before) {
        const seconds = (at - this.#before.at) / 1000;
        this.#isBusy = this.#before.half > seconds * BUSY_OCTETS_PER_SECOND;
      }
      this.#before = { at, half };
    }
  }
}

function isOfYoung(collection: PerformanceEntry): boolean {
  // Missing in the types of node.
  const { detail } = collection as PerformanceEntry & { readonly detail?: NodeGCPerformanceDetail };
  return detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR;
}
