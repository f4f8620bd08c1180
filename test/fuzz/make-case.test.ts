import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BATCH_SIZE, MARKER, makeCase, makeQuickCases } from './make-case.ts';

const KEYS = { liveKey: 'pst_live_a', testKey: 'pst_test_b' };
const COUNT = 5000;
const cases = Array.from({ length: COUNT }, (_, number) => makeCase(7, number, KEYS));

describe('the cases of a seed', () => {
  it('are the same each time, except for newly drawn keys, and different with another seed', () => {
    const again = Array.from({ length: 100 }, (_, number) => makeCase(7, number, KEYS));
    const ofAnother = Array.from({ length: 100 }, (_, number) => makeCase(8, number, KEYS));
    const stable = (list: typeof cases) =>
      list.slice(0, 100).filter(({ name }) => name !== 'headers: an unknown key');
    expect(stable(again)).toEqual(stable(cases));
    expect(ofAnother).not.toEqual(again);
  });

  it('come from every generator', () => {
    const families = new Set(cases.map(({ name }) => name.split(':')[0]));
    expect([...families].sort()).toEqual([
      'email',
      'framing',
      'handshake',
      'headers',
      'json',
      'pipeline',
      'slow',
      'target',
    ]);
  });

  it('contain the marker that must never be logged', () => {
    const marked = cases.filter(({ steps }) =>
      steps.some((step) => 'send' in step && step.send.includes(MARKER)),
    );
    expect(marked.length).toBeGreaterThan(COUNT / 2);
  });

  it('are each in one batch, and those in one write expect as many answers', () => {
    const batch = makeQuickCases(7, 3, KEYS);
    expect(batch.flatMap(({ numbers }) => numbers).sort()).toEqual(
      Array.from({ length: BATCH_SIZE - 1 }, (_, nth) => 3 * BATCH_SIZE + 1 + nth),
    );
    for (const { numbers, expected, name } of batch) {
      if (numbers.length > 1) expect(expected, name).toHaveLength(numbers.length);
    }
  });
});

it('npm run fuzz runs from files that node can run without a compiler', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'main.ts'), '--help'],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('npm run fuzz -- --replay FILE');
});
