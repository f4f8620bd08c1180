import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const MODULE = fileURLToPath(new URL('../../src/cli/bound-heap.ts', import.meta.url));

/** The young generation in MiB, both halves, of a process that starts as bin/postern.js does and then makes much garbage. */
function youngOf(command: string, factor: number): number {
  const program = `
    import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
    import { boundHeap } from ${JSON.stringify(MODULE)};
    const alive = [];
    const work = (rounds) => {
      for (let n = 0; n < rounds; n += 1) alive[n % 100_000] = { n, text: 'x' + n };
    };
    setFlagsFromString('--semi-space-growth-factor=${factor}');
    work(60_000);
    boundHeap('${command}');
    work(5_000_000);
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20);`;
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }),
  );
}

describe('boundHeap', () => {
  it.each([
    { command: 'check', factor: 8, young: 16 },
    { command: 'serve', factor: 16, young: 32 },
  ])('keeps the young generation of `$command` at $young MiB', ({ command, factor, young }) => {
    expect(youngOf(command, factor)).toBe(young);
  });
});
