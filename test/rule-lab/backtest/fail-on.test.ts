import { describe, expect, it } from 'vitest';
import type { Label } from '../../../src/labels/label.ts';
import { applyPolicy, MEASURES, parsePolicy } from '../../../src/rule-lab/backtest/fail-on.ts';
import type { BacktestReport } from '../../../src/rule-lab/backtest/run-backtest.ts';
import { compile, DECISION, group, is, points, when } from '../../rules/rules-directory.ts';
import { backtest, caseOf } from './cases.ts';

const setFrom = (worth: number) =>
  compile({
    'mail.yaml': group('mail', {
      disposable: `${points(worth)}, ${when(is('domain.is_known_disposable', true))}`,
    }),
    'decision.yaml': DECISION,
  });
const disposable = (id: string, label: Label | null) =>
  caseOf(id, { 'domain.is_known_disposable': true }, { label });

/** The candidate blocks disposable addresses, the rules in force do not. */
async function reportOf(...labels: readonly (Label | null)[]): Promise<BacktestReport> {
  const cases = labels.map((label, index) => disposable(`case_${index}`, label));
  const quiet = [caseOf('quiet_good', {}, { label: labels.includes('good') ? 'good' : null })];
  return backtest({ base: setFrom(40), candidate: setFrom(80) }, [...cases, ...quiet]);
}

const judge = async (condition: string, ...labels: readonly (Label | null)[]) =>
  applyPolicy(parsePolicy(condition), await reportOf(...labels));

describe('a --fail-on condition', () => {
  it('is breached when it is true for the candidate', async () => {
    expect(await judge('false_positives > 0', 'good', 'bad')).toEqual({
      policy: 'false_positives > 0',
      measured: 1,
      is_breached: true,
    });
    expect(await judge('false_positives > 1', 'good', 'bad')).toMatchObject({ is_breached: false });
  });

  it('measures what its name says', async () => {
    const report = await reportOf('good', 'bad', 'bad', null);
    const measured = (name: string) => applyPolicy(parsePolicy(`${name} > 0`), report).measured;
    expect(Object.fromEntries(MEASURES.map((name) => [name, measured(name)]))).toEqual({
      false_positives: 1,
      false_negatives: 0,
      new_false_positives: 1,
      new_false_negatives: 0,
      flips: 4,
      flips_to_block: 4,
      flips_to_allow: 0,
      block_rate: 0.8,
      false_positive_rate: 0.5,
      recall: 1,
      precision: 0.6667,
      cases: 5,
    });
  });

  it('accepts a share as a fraction of 1 or in per cent, and every comparison', async () => {
    for (const [condition, is_breached] of [
      ['recall < 100%', false],
      ['recall <= 1', true],
      ['recall >= 100 %', true],
      ['precision == 1', true],
      ['precision != 1', false],
      ['block_rate<0.9', true],
      // Two of three, which has more than four decimals.
      ['block_rate >= 0.66667', false],
    ] as const) {
      expect(await judge(condition, 'bad', 'bad')).toMatchObject({ is_breached });
    }
  });

  it('fails where no case has the label that it needs: a guard without data does not pass', async () => {
    for (const condition of ['false_positives > 0', 'new_false_positives > 0', 'false_positive_rate > 1%']) {
      expect(await judge(condition, 'bad', null)).toMatchObject({ measured: null, is_breached: null });
    }
    for (const condition of ['false_negatives > 0', 'new_false_negatives > 0', 'recall < 50%']) {
      expect(await judge(condition, 'good')).toMatchObject({ measured: null, is_breached: null });
    }
  });

  it('compares a share in per cent exactly', () => {
    for (const [text, limit] of [
      ['recall < 0.35%', 0.0035],
      ['recall < 0.29%', 0.0029],
      ['recall < 57%', 0.57],
      ['recall < 100%', 1],
    ] as const) {
      expect(parsePolicy(text).limit).toBe(limit);
    }
  });

  it('is refused with a description of its fault', () => {
    expect(() => parsePolicy('flips > 50%')).toThrow(/flips is a count, not a share/);
    expect(() => parsePolicy('recall < 60')).toThrow(/a share is at most 1, or 100%/);
    expect(() => parsePolicy('false_positive > 0')).toThrow(
      /no measure \(did you mean false_positives\?\); there are/,
    );
    expect(() => parsePolicy('too many')).toThrow(/no condition: write one like "false_positives > 0"/);
    expect(() => parsePolicy('recall < high')).toThrow(/no condition/);
    expect(() => parsePolicy('recall => 1')).toThrow(/no condition/);
  });
});
