import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SIGNAL_FILES } from '../../bench/quality/signal-files.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { wilson } from '../../src/lib/statistics.ts';
import { codeIn, readPage, tableOf } from './markdown.ts';

const SIGNALS = Object.keys(SIGNAL_FILES);
const page = readPage('docs/quality.md');

/** The lines of the last run's table, each with its measurement. */
function lastRun() {
  const squeezed = page.replaceAll(/ {2,}/g, ' ');
  const lines = tableOf(
    squeezed,
    'signal: on what',
    'rows',
    'who',
    'count',
    '%',
    '95 % interval',
    'beside Postern',
  );
  let [what, of] = ['', 0];
  return lines.map(([first = '', rows = '', who = '', count = '', share = '', interval = '']) => {
    if (first !== '') [what, of] = [first, Number(rows)];
    return { what, of, who, count: Number(count), share, interval };
  });
}

describe('docs/quality.md', () => {
  it('shows a complete run: every signal, and Postern first in each measurement', () => {
    const firsts = [...Map.groupBy(lastRun(), ({ what }) => what).values()].map(([first]) => first);
    expect(firsts.filter((line) => !line?.who.startsWith('Postern'))).toEqual([]);
    expect([...new Set(firsts.map((line) => line?.what.split(':')[0]))]).toEqual(
      SIGNALS.filter((name) => name !== 'decision'),
    );
  });

  it('shows the rules at every threshold: the shipped one is the lowest that blocks no good address, also with the points of one more rule', () => {
    const rows = tableOf(page, 'score from', 'good', '% (95 % interval)', 'bad', '% (95 % interval)');
    const good = new Map(rows.map(([score, count]) => [Number(score), Number(count)]));
    const { thresholds } = parse(readFileSync(join(packageRoot, 'rules/decision.yaml'), 'utf8'));
    const shipped: number = thresholds.block_score.value;
    // Of the rules on DNS and velocity, which a run without a network cannot fire, the one that genuine users meet: domain_burst.
    const more = 20;
    expect(good.get(shipped)).toBe(0);
    expect(good.get(shipped - more)).toBe(0);
    expect(good.get(shipped - more - 5)).toBeGreaterThan(0);
    const kinds = tableOf(page, 'addresses', 'rows', 'blocked %', 'medium or high %', 'mean score', 'AUC');
    expect(kinds.length).toBeGreaterThan(10);
    for (const [kind = '', , blocked] of kinds)
      if (kind.startsWith('good')) expect([kind, blocked]).toEqual([kind, '0.0']);
  });

  it('has shares and intervals that match its counts', () => {
    const percent = (share: number) => (100 * share).toFixed(1);
    for (const { what, of, who, count, share, interval } of lastRun()) {
      const [low, high] = wilson(count, of);
      expect([share, interval], `${what} ${who}`).toEqual([
        percent(count / of),
        `${percent(low)} to ${percent(high)}`,
      ]);
    }
  });

  it('names every signal that the command accepts', () => {
    const examples = codeIn(page).flatMap((code) => code.replace('npm run bench:quality -- ', '').split(' '));
    expect(SIGNALS.filter((name) => !examples.includes(name))).toEqual([]);
  });

  it('describes every file', () => {
    const described = tableOf(page, 'file', 'one row', 'from').map(([file = '']) => file.replaceAll('`', ''));
    expect(described.toSorted()).toEqual([...new Set(Object.values(SIGNAL_FILES).flat())].sort());
  });
});
