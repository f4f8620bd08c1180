import { describe, expect, it } from 'vitest';
import { drawMarks } from '../../../../src/rule-lab/backtest/html/marks.ts';
import { renderBacktestHtml } from '../../../../src/rule-lab/backtest/html/render-backtest-html.ts';
import type { BacktestReport } from '../../../../src/rule-lab/backtest/report.ts';
import { all, attribute, type Element, elementsIn, type Page, plain, read, rowsOf, section } from './page.ts';
import { aReport } from './reports.ts';

const within = (report: BacktestReport, id: string): Page => ({
  elements: elementsIn(section(read(renderBacktestHtml(report)), id)),
  faults: [],
});
const plot = (page: Page, id: string): Page => {
  const found = page.elements.find(
    (element) => attribute(element, 'aria-labelledby') === `${id}-title ${id}-text`,
  );
  return { elements: found ? elementsIn(found) : [], faults: [] };
};
const number = (element: Element | undefined, name: string) => Number(element && attribute(element, name));
/** Corners of a path of straight lines. */
const cornersOf = (path: Element | undefined): readonly (readonly number[])[] =>
  [...((path && attribute(path, 'd')) ?? '').matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);

describe('the histograms', () => {
  it('are one for each label, the candidate in bars, with both thresholds marked', async () => {
    const scores = within(await aReport(), 'scores');
    expect(all(scores, 'figcaption').map(plain)).toEqual(['20 good', '10 bad', '4 unlabelled']);
    const bad = plot(scores, 'scores-bad');
    // All ten have 60 points under the candidate: one bar, from 60 to 64.
    const [bar, ...others] = all(bad, 'rect', 'bar');
    expect(others).toEqual([]);
    expect(all(bad, 'text', 'value').map(plain)).toEqual(['70', '50']);
    const [base, candidate] = all(bad, 'line', 'from').map((line) => number(line, 'x1'));
    const score = ((base ?? 0) - (candidate ?? 0)) / 20;
    expect(score).toBeGreaterThan(1);
    expect((number(bar, 'x') - (candidate ?? 0)) / score).toBeCloseTo(10, 0);
    expect((number(bar, 'x') + number(bar, 'width') - (base ?? 0)) / score).toBeCloseTo(-5, 0);
  });

  it('say in words, and in a table, what they show', async () => {
    const scores = within(await aReport(), 'scores');
    expect(all(plot(scores, 'scores-bad'), 'desc').map(plain)).toEqual([
      'in force, BLOCK from 70: 60 to 64: 70.0 %, 80 to 84: 30.0 %. candidate, BLOCK from 50: 60 to 64: 100 %',
    ]);
    const [table] = all(scores, 'table').map(rowsOf);
    expect(table).toEqual([
      [
        'score',
        'good, in force',
        'good, candidate',
        'bad, in force',
        'bad, candidate',
        'unlabelled, in force',
        'unlabelled, candidate',
      ],
      ['0 to 4', '18', '14', '0', '0', '0', '1'],
      ['5 to 9', '0', '4', '0', '0', '0', '0'],
      ['20 to 24', '0', '0', '0', '0', '1', '0'],
      ['60 to 64', '2', '2', '7', '10', '3', '3'],
      ['80 to 84', '0', '0', '3', '0', '0', '0'],
    ]);
  });

  it('name a threshold that both have once, and none that is no score', async () => {
    const report = await aReport();
    const withThresholds = (base: number | null, candidate: number | null) => ({
      ...report,
      sweep: {
        base: { ...report.sweep.base, threshold: base },
        candidate: { ...report.sweep.candidate, threshold: candidate },
      },
    });
    const named = (changed: BacktestReport) =>
      all(plot(within(changed, 'scores'), 'scores-good'), 'text', 'value').map(plain);
    expect(named(withThresholds(70, 70))).toEqual(['70']);
    expect(named(withThresholds(null, 60))).toEqual(['60']);
    expect(named(withThresholds(null, null))).toEqual([]);
  });
});

describe('the sweep', () => {
  it('advises by the stated ratio, and says what is marked', async () => {
    const [advice] = all(within(await aReport({ costRatio: 10 }), 'sweep'), 'p').map(plain);
    expect(advice).toBe(
      'If one good signup turned away costs as much as 10 bad ones let in, the candidate is cheapest with BLOCK from 101, not from 50 as now: it would block 10 fewer of 10 bad and 2 fewer of 20 good.',
    );
  });

  it('says so when the present threshold is the cheapest, or costs the same', async () => {
    const [advice] = all(within(await aReport(), 'sweep'), 'p').map(plain);
    expect(advice).toBe(
      'If one good signup turned away costs as much as one bad one let in, the candidate is cheapest with BLOCK from 60; from 50, as now, it costs the same.',
    );
  });

  it('draws the ROC from nothing blocked to all blocked, each side', async () => {
    const roc = plot(within(await aReport(), 'sweep'), 'roc');
    const [base, candidate] = all(roc, 'path', 'curve').map(cornersOf);
    for (const corners of [base, candidate]) {
      expect(corners?.[0]).toEqual([346, 26]);
      expect(corners?.at(-1)).toEqual([50, 216]);
    }
    // A tenth of the good, root scale, and all bad.
    expect(candidate).toContainEqual([143.6, 26]);
  });

  it('marks where BLOCK begins now and where it would be cheapest', async () => {
    const cost = plot(within(await aReport(), 'sweep'), 'cost');
    expect(all(cost, 'circle', 'mark')).toHaveLength(2);
    expect(all(cost, 'path', 'mark')).toHaveLength(1);
    expect(all(cost, 'text', 'value').map(plain).sort()).toEqual(['50', '60', '70']);
  });

  it('cuts off a cost that would flatten the valley', async () => {
    const cost = plot(within(await aReport({ costRatio: 50 }), 'sweep'), 'cost');
    const ticks = all(cost, 'text', 'tick').map(plain).map(Number);
    const points = (await aReport({ costRatio: 50 })).sweep.candidate.points.map((point) => point.cost ?? 0);
    expect(Math.max(...points)).toBeGreaterThan(30);
    expect(Math.max(...ticks.slice(0, 6))).toBeLessThan(10);
    const [inner] = all(cost, 'svg');
    expect(inner && all({ elements: elementsIn(inner), faults: [] }, 'path', 'curve')).toHaveLength(2);
  });

  it('has every threshold that changes something in a table', async () => {
    const [summary, every] = all(within(await aReport(), 'sweep'), 'table').map(rowsOf);
    expect(summary?.slice(1).map((row) => row.slice(0, 4))).toEqual([
      ['in force, now', '70', '0 0 %', '3 30.0 %'],
      ['in force, cheapest', '60', '2 10.0 %', '10 100 %'],
      ['candidate, now', '50', '2 10.0 %', '10 100 %'],
      ['candidate, cheapest', '60', '2 10.0 %', '10 100 %'],
    ]);
    expect(every?.slice(2).map(([threshold]) => threshold)).toEqual(['0', '5', '20', '60', '80', '101']);
  });

  it('does without a present threshold when the action is no score alone', async () => {
    const report = await aReport();
    const { base, candidate } = report.sweep;
    const sweep = within(
      {
        ...report,
        sweep: { base: { ...base, threshold: null }, candidate: { ...candidate, threshold: null } },
      },
      'sweep',
    );
    expect(all(sweep, 'circle')).toEqual([]);
    expect(all(sweep, 'p').map(plain)[0]).toContain('no present threshold to mark');
  });
});

describe('drawMarks', () => {
  it('writes no score over another one or over a mark', () => {
    const marks = [
      { side: 'candidate', form: 'diamond', x: 200, y: 100, score: 65 },
      { side: 'base', form: 'circle', x: 203, y: 104, score: 70 },
      { side: 'candidate', form: 'circle', x: 206, y: 97, score: 55 },
    ] as const;
    const page = read(`<!DOCTYPE html><title>t</title><svg>${drawMarks(marks).join('')}</svg>`);
    const boxes = all(page, 'text').map((text) => ({ x: number(text, 'x'), y: number(text, 'y') - 4 }));
    expect(boxes).toHaveLength(3);
    for (const [place, box] of boxes.entries()) {
      for (const other of boxes.slice(place + 1)) {
        expect(Math.abs(box.x - other.x) >= 16 || Math.abs(box.y - other.y) >= 14).toBe(true);
      }
      for (const { x, y } of marks) expect(Math.abs(box.x - x) >= 15 || Math.abs(box.y - y) >= 14).toBe(true);
    }
  });

  it('names marks of one place once', () => {
    const marks = [
      { side: 'candidate', form: 'diamond', x: 200, y: 100, score: 60 },
      { side: 'candidate', form: 'circle', x: 200, y: 100, score: 60 },
    ] as const;
    expect(drawMarks(marks).join('').match(/<text/g)).toHaveLength(1);
  });
});
