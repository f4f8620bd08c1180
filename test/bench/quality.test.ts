import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auc } from '../../bench/quality/decision.ts';
import { bareNames, localParts } from '../../bench/quality/local-parts.ts';
import { MeasuringData } from '../../bench/quality/measuring-data.ts';
import { countHits, type Metric } from '../../bench/quality/metric.ts';
import { notDisposable } from '../../bench/quality/not-disposable.ts';
import { resultTable } from '../../bench/quality/result-table.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { wilson } from '../../src/lib/statistics.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describe("Wilson's interval", () => {
  // Of 81 of 263 and 0 of 20: R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  it.each([
    [0, 10, 0, 0.2775],
    [5, 10, 0.2366, 0.7634],
    [10, 10, 0.7225, 1],
    [81, 263, 0.2553, 0.3662],
    [0, 20, 0, 0.1611],
  ])('of %d of %d is %d to %d', (hits, of, low, high) => {
    const [measuredLow, measuredHigh] = wilson(hits, of);
    expect(measuredLow).toBeCloseTo(low, 4);
    expect(measuredHigh).toBeCloseTo(high, 4);
  });

  it('of zero cases is the whole range', () => expect(wilson(0, 0)).toEqual([0, 1]));
});

it('asks all peers about every row, and refuses to measure none', async () => {
  const isEven = (row: number) => row % 2 === 0;
  const metric = await countHits('even', 'high', [1, 2, 4], { us: isEven, them: async () => true });
  expect(metric).toEqual({
    what: 'even',
    wanted: 'high',
    of: 3,
    hits: new Map(Object.entries({ us: 2, them: 3 })),
  });
  await expect(countHits('even', 'high', [], { us: isEven })).rejects.toThrow('there are no rows for "even"');
});

it.each([
  [[0], [80], 1],
  [[80], [0], 0],
  [[10, 10], [10], 0.5],
  [[0, 30], [30, 80], 0.875],
])('separates good scores %j from bad ones %j: AUC %d', (good, bad, expected) =>
  expect(auc(good, bad)).toBe(expected),
);

describe('the table', () => {
  const metric = (wanted: Metric['wanted']): Metric => ({
    what: 'found',
    wanted,
    of: 100,
    hits: new Map([
      ['Postern', 50],
      ['near', 55],
      ['above', 90],
      ['below', 10],
    ]),
  });
  const verdicts = (wanted: Metric['wanted']) =>
    resultTable(new Map([['x', [metric(wanted)]]]))
      .split('\n')
      .slice(2)
      .map((line) => line.split('|').at(-2)?.trim());

  it('calls a peer better or worse only where the intervals do not overlap, by the direction that is better', () => {
    expect(verdicts('high')).toEqual(['', '', 'better', 'worse']);
    expect(verdicts('low')).toEqual(['', '', 'worse', 'better']);
  });

  it('shows count, share and interval, and each measurement once', () => {
    const [, , first = '', second = ''] = resultTable(new Map([['x', [metric('high')]]])).split('\n');
    expect(first.split('|').map((cell) => cell.trim())).toEqual([
      '',
      'x: found ↑',
      '100',
      'Postern',
      '50',
      '50.0',
      '40.4 to 59.6',
      '',
      '',
    ]);
    expect(second).toMatch(/^\|\s+\|\s+\| near/);
  });
});

describe('the labelled rows', () => {
  const rows = (file: string, text: string) => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, file), text);
    return new MeasuringData(folder);
  };

  it('in two lists count once, and a relay is never an ordinary domain', () => {
    const data = rows(
      'not-disposable.tsv',
      '# head\na.com\tallowlist\na.com\twhitelist\nb.com\tgreylist\nb.com\tallowlist\n',
    );
    expect(notDisposable(data)).toEqual({ ordinary: ['a.com'], relays: ['b.com'] });
  });

  it('of names contain only the names, without case and digits', () => {
    const data = rows(
      'generated-local-parts.tsv',
      'First_Last+0-100\tname\tJane_Doe7\nFirst_Last+0-100\tname\tJane_Roe\nhex8\trandom\te92a0c7c\n',
    );
    expect(bareNames(data)).toEqual(['jane', 'doe', 'roe']);
    expect(localParts(data, 'random')).toEqual(['e92a0c7c']);
  });
});

describe('npm run bench:quality', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(packageRoot, 'bench/quality/run.ts'), ...args], { encoding: 'utf8' });

  it('names what is missing and where to put it, and exits with 2 before it installs anything', () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'free-top.txt'), 'gmail.com\n');
    const { status, stdout, stderr } = run('free', '--data', folder);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(`missing from ${folder}:\n  abused-domains.tsv\n  not-disposable.tsv\n`);
    expect(stderr).toContain('--data DIR');
  });

  it.each([
    { args: ['spelling'], says: 'There is no signal spelling; there are syntax, canonical' },
    { args: ['--dat', 'x'], says: "Unknown option '--dat'" },
  ])('refuses $args with 2', ({ args, says }) => {
    const { status, stderr } = run(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(says);
  });
});
