import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decisionLines, moveLine } from '../../../dashboard/src/pages/rules/decision-lines.ts';
import { packageRoot } from '../../../src/lib/paths.ts';

const shipped = { 'decision.yaml': readFileSync(join(packageRoot, 'rules/decision.yaml'), 'utf8') };
const values = (files: Readonly<Record<string, string>>) =>
  decisionLines(files).map(({ label, value }) => `${label} ${value}`);
const line = (condition: string) => ({
  'decision.yaml': `actions: [{ id: b, conditions: { all: [${condition}] }, event: { params: { action: BLOCK } } }]\n`,
});

describe('the threshold lines on the scores', () => {
  it('are those of the shipped decision.yaml, at its thresholds', () => {
    expect(values(shipped)).toEqual(['medium 30', 'high 70', 'BLOCK 70']);
  });

  it('are moved in place: one number changes, and everything else stays', () => {
    const block = decisionLines(shipped).find(({ label }) => label === 'BLOCK');
    if (!block) throw new Error('there is one');
    const moved = moveLine(shipped, block, 55);
    expect(moved['decision.yaml']).toBe(
      shipped['decision.yaml'].replace('block_score: { value: 70', 'block_score: { value: 55'),
    );
    expect(values(moved)).toEqual(['medium 30', 'high 70', 'BLOCK 55']);
  });

  it('are found as a plain number, and in another file', () => {
    const inline = line('{ fact: risk_score, operator: greaterThanInclusive, value: 40 }');
    expect(values(inline)).toEqual(['BLOCK 40']);
    const elsewhere = {
      ...line('{ fact: risk_score, operator: greaterThanInclusive, value: { fact: threshold.x } }'),
      'a.yaml': '# A remark.\nthresholds:\n  x: { value: 41 } # another\n',
    };
    const [found] = decisionLines(elsewhere);
    if (!found) throw new Error('there is one');
    expect(moveLine(elsewhere, found, 9)['a.yaml']).toBe(
      '# A remark.\nthresholds:\n  x: { value: 9 } # another\n',
    );
  });

  it('begin above the number with greaterThan', () => {
    const above = line('{ fact: risk_score, operator: greaterThan, value: 40 }');
    expect(values(above)).toEqual(['BLOCK 41']);
    const [found] = decisionLines(above);
    if (!found) throw new Error('there is one');
    expect(values(moveLine(above, found, 50))).toEqual(['BLOCK 50']);
  });

  it.each([
    [
      'more than the score',
      '{ fact: risk_score, operator: greaterThan, value: 4 }, { fact: x, operator: equal, value: true }',
    ],
    ['another fact', '{ fact: x.y, operator: greaterThan, value: 4 }'],
    [
      'a threshold that is nowhere',
      '{ fact: risk_score, operator: greaterThan, value: { fact: threshold.no } }',
    ],
    ['a word', '{ fact: risk_score, operator: greaterThan, value: many }'],
  ])('are not drawn where the condition is %s', (_, condition) => {
    expect(decisionLines(line(condition))).toEqual([]);
  });

  it('are not drawn for a file that cannot be parsed or does not exist', () => {
    expect(decisionLines({ 'decision.yaml': 'actions: [' })).toEqual([]);
    expect(decisionLines({})).toEqual([]);
  });
});
