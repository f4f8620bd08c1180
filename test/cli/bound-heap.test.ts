import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const MODULE = fileURLToPath(new URL('../../src/cli/bound-heap.ts', import.meta.url));

/**
 * The young generation in MiB, both halves, of a process: once it has made much garbage,
 * when V8 was told that memory is short, and after more garbage.
 */
function youngOf(command: string): { grown: number; shrunk: number; again: number } {
  const program = `
    import { Session } from 'node:inspector/promises';
    import { setTimeout } from 'node:timers/promises';
    import { getHeapSpaceStatistics } from 'node:v8';
    import { boundHeap } from ${JSON.stringify(MODULE)};
    const alive = [];
    const work = async (rounds) => {
      for (let n = 0; n < rounds; n += 1) {
        alive[n % 100_000] = { n, text: 'x' + n };
        if (n % 10_000 === 0) await setTimeout(0);
      }
    };
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
    { command: 'check', young: 8 },
    { command: 'serve', young: 32 },
  ])(
    'keeps the young generation of `$command` near $young MiB, also after V8 has shrunk it',
    ({ command, young }) => {
      const { grown, shrunk, again } = youngOf(command);
      expect(shrunk).toBeLessThan(young / 2);
      for (const size of [grown, again]) {
        expect(size).toBeGreaterThan(young / 2);
        expect(size).toBeLessThan(young * 2);
      }
    },
  );
});
