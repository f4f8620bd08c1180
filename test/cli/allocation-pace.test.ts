import { constants, type PerformanceEntry } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { AllocationPace } from '../../src/cli/allocation-pace.ts';

const MIB = 1024 * 1024;

/** As a `PerformanceObserver` tells of it. */
function collection(startTime: number, kind = constants.NODE_PERFORMANCE_GC_MINOR): PerformanceEntry {
  const entry = { entryType: 'gc' as const, name: 'gc', startTime, duration: 1, detail: { kind, flags: 0 } };
  return { ...entry, toJSON: () => entry };
}

describe('AllocationPace', () => {
  it('is calm before anything is known', () => {
    const pace = new AllocationPace();
    expect(pace.isBusy).toBe(false);
    pace.heed([collection(1)], 2 * MIB);
    expect(pace.isBusy).toBe(false);
  });

  it.each([
    { half: 2, ms: 124, isBusy: true },
    { half: 2, ms: 126, isBusy: false },
    { half: 16, ms: 999, isBusy: true },
    { half: 16, ms: 1001, isBusy: false },
  ])('takes $half MiB in $ms ms for busy: $isBusy', ({ half, ms, isBusy }) => {
    const pace = new AllocationPace();
    pace.heed([collection(1000)], half * MIB);
    pace.heed([collection(1000 + ms)], half * MIB);
    expect(pace.isBusy).toBe(isBusy);
  });

  it('goes by what the half held that was filled, not by what it has grown to since', () => {
    const pace = new AllocationPace();
    pace.heed([collection(0)], 2 * MIB);
    pace.heed([collection(500)], 16 * MIB);
    expect(pace.isBusy).toBe(false);
    pace.heed([collection(1000)], 16 * MIB);
    expect(pace.isBusy).toBe(true);
  });

  it('leaves out collections of the old generation', () => {
    const pace = new AllocationPace();
    pace.heed([collection(0)], 2 * MIB);
    pace.heed([collection(1, constants.NODE_PERFORMANCE_GC_MAJOR)], 2 * MIB);
    expect(pace.isBusy).toBe(false);
    pace.heed([collection(100), collection(101, constants.NODE_PERFORMANCE_GC_INCREMENTAL)], 2 * MIB);
    expect(pace.isBusy).toBe(true);
  });

  it('tells nothing under another V8', () => {
    const pace = new AllocationPace();
    pace.heed([collection(0), collection(1)], undefined);
    expect(pace.isBusy).toBe(false);
  });
});
