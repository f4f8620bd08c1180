import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const MODULE = fileURLToPath(new URL('../../src/cli/bound-heap.ts', import.meta.url));

/**
 * The young generation in MiB, both halves, of a process that starts as bin/postern.js does: once it has made much garbage,
 * when V8 was told that memory is short, and after more garbage.
 */
function youngOf(command: string, factor: number): { grown: number; shrunk: number; again: number } {
  const program = `
    import { Session } from 'node:inspector/promises';
    import { setTimeout } from 'node:timers/promises';
    import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
    import { boundHeap } from ${JSON.stringify(MODULE)};
    const alive = [];
    const work = async (rounds) => {
      for (let n = 0; n < rounds; n += 1) {
        alive[n % 100_000] = { n, text: 'x' + n };
        if (n % 10_000 === 0) await setTimeout(0);
      }
    };
    setFlagsFromString('--semi-space-growth-factor=${factor}');
    for (let n = 0; n < 30_000; n += 1) alive[n] = { n, text: 'x' + n };
    boundHeap('${command}');
    const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
    await work(3_000_000);
    const grown = young();
    const session = new Session();
    session.connect();
    await session.post('HeapProfiler.collectGarbage');
    const shrunk = young();
    await setTimeout(100);
    await work(3_000_000);
    console.log(JSON.stringify({ grown, shrunk, again: young() }));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }),
  );
}

describe('boundHeap', () => {
  it.each([
    { command: 'check', factor: 4, young: 8 },
    { command: 'serve', factor: 16, young: 32 },
  ])(
    'keeps the young generation of `$command` at $young MiB, also after V8 has shrunk it',
    ({ command, factor, young }) => {
      const { grown, shrunk, again } = youngOf(command, factor);
      expect(grown).toBe(young);
      expect(shrunk).toBeLessThan(young / 2);
      expect(again).toBeGreaterThan(young / 2);
      expect(again).toBeLessThanOrEqual(young);
    },
  );
});
