import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { canOverlapPhases } from '../../src/cli/bound-heap.ts';

const MODULE = fileURLToPath(new URL('../../src/cli/bound-heap.ts', import.meta.url));

const READY = 'serve, once it is ready';

/** What a process prints that has bounded its heap as a command does. */
function print(command: string, program: string, flags: readonly string[] = []): string {
  const whole = `
    import { Session } from 'node:inspector/promises';
    import { setTimeout } from 'node:timers/promises';
    import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
    import { boundHeap, boundHeapOfService } from ${JSON.stringify(MODULE)};
    const space = (name) => getHeapSpaceStatistics().find(({ space_name }) => space_name === name);
    const MIB = 1024 * 1024;
    boundHeap('${command.split(',')[0]}');
    if (${command === READY}) boundHeapOfService();
    ${program}`;
  return execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', whole], {
    encoding: 'utf8',
  });
}

/** The same as JSON. */
function run<Result>(command: string, program: string): Result {
  return JSON.parse(print(command, program));
}

/** Answers the median size of the young generation, in MiB, both halves. */
const WORK = `
  const alive = [];
  const young = () => space('new_space').space_size / MIB;
  const work = async () => {
    const sizes = [];
    for (let n = 0; n < 3_000_000; n += 1) {
      alive[n % 100_000] = { n, text: 'x' + n };
      if (n % 10_000 !== 0) continue;
      sizes.push(young());
      await setTimeout(0);
    }
    return sizes.sort((a, b) => a - b)[sizes.length / 2];
  };`;

/**
 * In MiB, both halves: amid much garbage, when V8 was told that memory is short, and amid more garbage. Medians, for V8 lets
 * it grow beyond any bound while it marks the old generation.
 */
const YOUNG = `
  ${WORK}
  const grown = await work();
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  const shrunk = young();
  await setTimeout(100);
  console.log(JSON.stringify({ grown, shrunk, again: await work() }));`;

/** The median in MiB, both halves, while little is made at a time, all of which lives for long. */
const CALM = `
  const alive = [];
  const sizes = [];
  for (let n = 0; n < 300; n += 1) {
    for (let each = 0; each < 1_000; each += 1) alive[(n * 1_000 + each) % 200_000] = { n, text: 'x' + each };
    sizes.push(space('new_space').space_size / MIB);
    await setTimeout(10);
  }
  console.log(sizes.sort((a, b) => a - b)[sizes.length / 2]);`;

/** In MiB, both halves: after much garbage, and when nothing has been made for longer than V8 looks back, and for the rest. */
const RESTED = `
  ${WORK}
  boundHeapOfService(6_000);
  await work();
  // What is made just before would still count for busy.
  const used = () => space('new_space').space_used_size;
  for (let before = 0; used() >= before; ) {
    before = used();
    for (let n = 0; n < 1_000; n += 1) alive[n] = { n };
  }
  const grown = young();
  await setTimeout(7_500);
  console.log(JSON.stringify({ grown, rested: young() }));`;

/** In MiB: both halves as small as V8 makes them and used before the heap is bounded, and amid much garbage after that. */
const USED = `
  ${WORK}
  setFlagsFromString('--semi-space-growth-factor=1');
  for (let n = 0; n < 200_000; n += 1) alive[n % 1_000] = { n, text: 'x' + n };
  const used = young();
  boundHeap('serve');
  console.log(JSON.stringify({ used, grown: await work() }));`;

/** The most MiB that the young generation had while the old one was collected several times. */
const MARKED = `
  const alive = [];
  let most = 0;
  const work = async (rounds) => {
    for (let n = 0; n < rounds; n += 1) {
      alive[(n * 7) % 400_000] = { n, more: [n] };
      if (n % 10_000 === 0) await setTimeout(0);
      if (n % 1_000 === 0) most = Math.max(most, space('new_space').space_size / MIB);
    }
  };
  await work(500_000);
  most = 0;
  await work(4_000_000);
  console.log(most);`;

/** By how many MiB the old generation grows by a million arrays that nobody keeps, where such arrays were kept long before. */
const TOSSED = `
  const kept = [];
  const keep = (n, among) => {
    kept[n % among] = [n, kept];
  };
  const toss = (n) => {
    kept[n % 8] = { n, text: 'x' + n };
  };
  for (let n = 0; n < 3_000_000; n += 1) keep(n, 500_000);
  for (let n = 0; n < 3_000_000; n += 1) toss(n);
  const before = space('old_space').space_used_size;
  for (let n = 0; n < 1_000_000; n += 1) keep(n, 8);
  console.log((space('old_space').space_used_size - before) / MIB);`;

/** A function that runs long enough for V8 to optimize it, by each of its compilers. */
const BUSY = `
  const work = () => {
    let sum = 0;
    for (let n = 0; n < 5_000_000; n += 1) sum = (sum + Math.imul(n, 31)) | 0;
    return sum;
  };
  for (let round = 0; round < 20; round += 1) work();`;

/** Much of the young generation is alive at each of its collections, which then may seem worth the help of threads. */
const SURVIVING = `
  const alive = [];
  for (let n = 0; n < 1_000_000; n += 1) alive[n % 100_000] = { n, text: 'x' + n };`;

describe('boundHeap', () => {
  it.each([
    { command: 'check', young: 8 },
    { command: 'serve', young: 4 },
    { command: READY, young: 32 },
  ])(
    'keeps the young generation of `$command` near $young MiB, also after V8 has shrunk it',
    ({ command, young }) => {
      const { grown, shrunk, again } = run<{ grown: number; shrunk: number; again: number }>(command, YOUNG);
      expect(shrunk).toBeLessThan(young / 2);
      for (const size of [grown, again]) {
        expect(size).toBeGreaterThan(young / 2);
        expect(size).toBeLessThan(young * 2);
      }
    },
  );

  it('keeps the young generation of a service small that makes little', () => {
    expect(run<number>(READY, CALM)).toBeLessThanOrEqual(4);
  });

  it('has V8 give back what a service that is at rest has no need of', { timeout: 60_000 }, () => {
    const { grown, rested } = run<{ grown: number; rested: number }>(READY, RESTED);
    expect(grown).toBeGreaterThan(16);
    expect(rested).toBeLessThan(4);
  });

  it('lets it grow whose halves have both been used', () => {
    expect(run('serve', USED)).toEqual({ used: 2, grown: 4 });
  });

  it.runIf(canOverlapPhases)('collects the young generation while the old one is marked', () => {
    expect(run<number>('check', MARKED)).toBeLessThan(16);
  });

  it('keeps V8 from making in the old generation what has lived long before', () => {
    expect(run<number>(READY, TOSSED)).toBeLessThan(10);
  });

  it.each(['check', 'serve', READY])('has one thread collect the young generation of `%s`', (command) => {
    const trace = print(command, SURVIVING, ['--trace-gc', '--trace-parallel-scavenge']);
    const collections = trace.match(/: Scavenge /g)?.length;
    expect(collections).toBeGreaterThan(1);
    expect(trace.match(/scavenge\[0x/g)).toHaveLength(collections ?? 0);
  });

  it.each([
    { command: 'check', has: true },
    { command: 'serve', has: false },
  ])('has `$command` compiled by Maglev: $has', ({ command, has }) => {
    const ofWork = print(command, BUSY, ['--trace-opt'])
      .split('\n')
      .filter((line) => line.includes('<JSFunction work '))
      .join('\n');
    expect(ofWork).toContain('TURBOFAN');
    expect(ofWork.includes('MAGLEV')).toBe(has);
  });
});
