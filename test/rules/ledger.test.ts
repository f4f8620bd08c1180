import { describe, expect, it } from 'vitest';
import { PlannedEntry } from '../../src/rules/ledger.ts';

const rule = (id: string) => {
  const saw = { 'velocity.domain_1h': null, 'threshold.busy': 20 };
  return new PlannedEntry({ kind: 'rule', points: 7, id, group: 'domain', saw }, ['velocity.domain_1h'], [2]);
};
const row = (value: number | null) => [true, false, value];

describe('PlannedEntry', () => {
  it('quotes the fact at its place in the row, beside the constants and in their order', () => {
    const entry = rule('busy').of(row(21));
    expect(JSON.stringify(entry)).toBe(
      '{"kind":"rule","points":7,"id":"busy","group":"domain","saw":{"velocity.domain_1h":21,"threshold.busy":20}}',
    );
  });

  it('quotes an unknown fact the first time too', () => {
    expect(rule('busy').of(row(null))).toMatchObject({ saw: { 'velocity.domain_1h': null } });
  });

  it('leaves what it wrote before as it was', () => {
    const entry = rule('busy');
    const first = entry.of(row(21));
    const second = entry.of(row(22));
    expect(first).toMatchObject({ saw: { 'velocity.domain_1h': 21 } });
    expect(second).toMatchObject({ saw: { 'velocity.domain_1h': 22 } });
  });

  it('is the same object while what it quotes is the same', () => {
    const entry = rule('busy');
    expect(entry.of([false, true, 21])).toBe(entry.of(row(21)));
  });

  it('says the same of all facts where it quotes none', () => {
    const entry = new PlannedEntry({ kind: 'bound', points: -3, min: 0, max: 100 });
    expect(entry.of(row(1))).toEqual({ kind: 'bound', points: -3, min: 0, max: 100 });
  });
});
