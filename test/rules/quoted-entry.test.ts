import { describe, expect, it } from 'vitest';
import { QuotedEntry } from '../../src/rules/quoted-entry.ts';

const quoted = () =>
  new QuotedEntry(
    {
      kind: 'rule',
      points: 7,
      id: 'busy',
      group: 'domain',
      saw: { 'velocity.domain_1h': null, 'threshold.busy': 20 },
    },
    ['velocity.domain_1h'],
    [2],
  );
const row = (value: number | null) => [true, false, value];

describe('QuotedEntry', () => {
  it('quotes the fact at its place in the row, beside the constants and in their order', () => {
    const entry = quoted().of(row(21));
    expect(JSON.stringify(entry)).toBe(
      '{"kind":"rule","points":7,"id":"busy","group":"domain","saw":{"velocity.domain_1h":21,"threshold.busy":20}}',
    );
  });

  it('quotes an unknown fact the first time too', () => {
    expect(quoted().of(row(null))).toMatchObject({ saw: { 'velocity.domain_1h': null } });
  });

  it('leaves what it wrote before as it was', () => {
    const entry = quoted();
    const first = entry.of(row(21));
    const second = entry.of(row(22));
    expect(first).toMatchObject({ saw: { 'velocity.domain_1h': 21 } });
    expect(second).toMatchObject({ saw: { 'velocity.domain_1h': 22 } });
  });

  it('is the same object while what it quotes is the same', () => {
    const entry = quoted();
    expect(entry.of([false, true, 21])).toBe(entry.of(row(21)));
  });
});
