import { describe, expect, it } from 'vitest';
import { chooseLabelColumns } from '../../src/labels/gather-labels.ts';
import type { RowTable } from '../../src/lib/row-file.ts';

async function* none(): AsyncGenerator<never> {}
const choose = (names: readonly string[] | null, more: Partial<RowTable> = {}) =>
  chooseLabelColumns({ names, wanted: [], delimiter: ',', rows: none(), ...more }, 'a.csv');

describe('the columns of a file of labels', () => {
  it.each([
    [['email', 'label'], { check: null, email: 'email' }],
    [['Check-ID', 'Label'], { check: 'Check-ID', email: null, label: 'Label' }],
    [['id', 'E-Mail', 'label'], { check: 'id', email: 'E-Mail' }],
    [['who', 'label'], { check: null, email: 'who' }],
    [['id', 'note', 'label'], { check: 'id', email: null }],
    [['check_id', 'id', 'customer_email', 'label'], { check: 'check_id', email: 'customer_email' }],
    [['email', 'label', 'labelled_at'], { check: null, email: 'email', toldAt: 'labelled_at' }],
  ])('of %j are found by their names', (names, found) => {
    expect(choose(names)).toEqual({ label: 'label', toldAt: null, ...found });
  });

  it('are those that are wanted, in their order and in any case', () => {
    expect(choose(['a', 'b', 'c', 'label'], { wanted: ['B', 'a', 'c'] })).toEqual({
      check: 'b',
      email: 'b',
      label: 'a',
      toldAt: 'c',
    });
    expect(choose(['a', 'label'], { wanted: ['a'] })).toMatchObject({ email: 'a', label: 'label' });
  });

  it('of lines of JSON may come later than the first', () => {
    expect(choose(['id'], { delimiter: null })).toEqual({
      check: 'id',
      email: 'email',
      label: 'label',
      toldAt: 'labelled_at',
    });
    expect(choose(['label'], { delimiter: null })).toMatchObject({ check: 'check_id', email: 'email' });
    expect(choose(['address', 'label'], { delimiter: null })).toMatchObject({ email: 'address' });
    expect(choose(null, { delimiter: null })).toMatchObject({ check: null, email: null });
  });

  it.each([
    [['email', 'verdict'], [], 'a.csv: which column holds the label?'],
    [['a', 'b', 'label'], [], 'a.csv: which column holds the check or the address?'],
    [['home_mail', 'work_mail', 'label'], [], 'a.csv: which column holds the check or the address?'],
    [['a', 'label'], ['b'], 'a.csv: there is no column "b"'],
    [['a', 'label'], ['a', 'a', 'a', 'a'], '--columns names three at most'],
  ])('of %j with %j are asked for', (names, wanted, message) => {
    expect(() => choose(names, { wanted })).toThrow(message);
  });
});
