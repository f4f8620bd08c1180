import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRowWriter, type Outcome } from '../../../src/cli/check-file/row-outcome.ts';

const OUTCOME: Outcome = {
  action: 'BLOCK',
  risk_score: 80,
  risk_level: 'high',
  canonical: '-x@example.com',
  degraded: ['catch_all', 'mx'],
  fault: null,
  position: null,
};
const rowOf = (values: Record<string, unknown>) => ({
  line: 1,
  values,
  email: null,
  time: null,
  broken: null,
});

describe('the answer as CSV', () => {
  it('has the columns of the file, then those of the answer', () => {
    const writer = createRowWriter('csv', ['id', 'email'], ';');
    expect(writer.head).toBe('id;email;action;risk_score;risk_level;canonical;degraded;fault;position\n');
    expect(writer.row(rowOf({ id: 7, email: 'a;b' }), OUTCOME)).toBe(
      '7;"a;b";BLOCK;80;high;\'-x@example.com;catch_all mx;;\n',
    );
  });

  it('has no cell that a spreadsheet would run, nor in the header, and changes nothing else', () => {
    const anyCell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('=1+1', '+43', '-1', '@x', '\t=1', '\r=1', '\n=1', '\u0000=', '\u0085=', '＝1', "'=1"),
    );
    fc.assert(
      fc.property(fc.uniqueArray(anyCell, { minLength: 1, maxLength: 4 }), anyCell, (columns, cell) => {
        const { head, row } = createRowWriter('csv', columns, ',');
        const text = head + row(rowOf(Object.fromEntries(columns.map((column) => [column, cell]))), OUTCOME);
        const [names = [], cells = []]: string[][] = parse(text, { record_delimiter: '\n' });
        for (const written of [...names, ...cells]) expect(written).not.toMatch(/^[=+\-@\p{Cc}]/u);
        expect([cell, `'${cell}`]).toContain(cells[0]);
        expect(cells).toHaveLength(columns.length + 7);
      }),
    );
  });

  it('writes JSON values, nothing for missing ones, and counts rows that have more members than the first', () => {
    const writer = createRowWriter('csv', ['a', 'b', 'c'], ',');
    expect(writer.row(rowOf({ a: { x: 1 }, b: null, d: 1 }), OUTCOME)).toMatch(/^"\{""x"":1\}",,,BLOCK,/);
    expect(writer.leftOut).toBe(1);
  });
});

describe('the answer as JSON lines', () => {
  const { row } = createRowWriter('jsonl', [], ',');

  it('has the members of the row, then those of the answer', () => {
    expect(JSON.parse(row(rowOf({ id: 7, tags: ['a'] }), OUTCOME))).toEqual({
      id: 7,
      tags: ['a'],
      ...OUTCOME,
    });
  });

  it('keeps a member with the name __proto__ as it is', () => {
    const values = JSON.parse('{"__proto__":{"action":"ALLOW"},"email":"x"}');
    expect(row(rowOf(values), OUTCOME)).toContain(
      '"__proto__":{"action":"ALLOW"},"email":"x","action":"BLOCK"',
    );
  });
});

it.each(['csv', 'jsonl'] as const)(
  'a column of the file with the name of a column of the answer is renamed, in %s',
  (format) => {
    const { head, row } = createRowWriter(format, ['action', 'input_action'], ',');
    const text = head + row(rowOf({ action: 'old', input_action: 'older' }), OUTCOME);
    for (const name of ['input_input_action', 'input_action', 'action']) expect(text).toContain(name);
    expect(text).toMatch(
      format === 'csv'
        ? /^old,older,BLOCK/m
        : /"input_input_action":"old","input_action":"older","action":"BLOCK"/,
    );
  },
);
