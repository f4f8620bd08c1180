import { describe, expect, it } from 'vitest';
import { chooseLabelColumns } from '../../src/labels/gather-labels.ts';
import type { RowTable } from '../../src/lib/row-file.ts';

async function* none(): AsyncGenerator<never> {}
const choose = (names: readonly string[] | null, more: Partial<RowTable> = {}) =>
  chooseLabelColumns({ names, wanted: [], delimiter: ',', rows: none(), ...more }, 'a.csv');

describe('the columns of a file of labels', () => {
  it.each([
    [['email', 'label'], { checks: [], email: 'email' }],
    [['Check-ID', 'Label'], { checks: ['Check-ID'], email: null, label: 'Label' }],
    [['id', 'E-Mail', 'label'], { checks: ['id'], email: 'E-Mail' }],
    [['who', 'label'], { checks: [], email: 'who' }],
    [['id', 'note', 'label'], { checks: ['id'], email: null }],
    [['id', 'check_id', 'customer_email', 'label'], { checks: ['check_id', 'id'], email: 'customer_email' }],
    [['email', 'label', 'labelled_at'], { checks: [], email: 'email', toldAt: 'labelled_at' }],
  ])('of %j are found by their names', (names, found) => {
    expect(choose(names)).toEqual({ label: 'label', toldAt: null, ...found });
  });

  it('are the ones that are asked for, in their order and in any case', () => {
    expect(choose(['a', 'b', 'c', 'label'], { wanted: ['B', 'a', 'c'] })).toEqual({
      checks: ['b'],
      email: 'b',
      label: 'a',
      toldAt: 'c',
    });
    expect(choose(['a', 'label'], { wanted: ['a'] })).toMatchObject({ email: 'a', label: 'label' });
  });

  it('of JSON lines may occur later than in the first line', () => {
    expect(choose(['id'], { delimiter: null })).toEqual({
      checks: ['id', 'check_id', 'id'],
      email: 'email',
      label: 'label',
      toldAt: 'labelled_at',
    });
    expect(choose(['label'], { delimiter: null })).toMatchObject({
      checks: ['check_id', 'id'],
      email: 'email',
    });
    expect(choose(['address', 'label'], { delimiter: null })).toMatchObject({ email: 'address' });
    expect(choose(null, { delimiter: null })).toMatchObject({ checks: [], email: null });
  });

  it('of JSON lines may be asked for although the first line lacks them', () => {
    const wanted = ['contact', 'verdict', 'told'];
    expect(choose(['id', 'name'], { delimiter: null, wanted })).toMatchObject({
      email: 'contact',
      label: 'verdict',
      toldAt: 'told',
    });
  });

  it.each([
    [['email', 'verdict'], [], 'a.csv: which column holds the label?'],
    [['a', 'b', 'label'], [], 'a.csv: which column holds the check or the address?'],
    [['home_mail', 'work_mail', 'label'], [], 'a.csv: which column holds the check or the address?'],
    [['a', 'label'], ['b'], 'a.csv: there is no column "b"'],
    [
      ['a', 'label'],
      ['a', 'label', 'b', 'c'],
      'and takes 3 at most: the check or the address, the label, the time',
    ],
    [['a', 'label'], ['a', 'A'], 'a.csv: --columns names "a" twice'],
  ])('of %j with %j must be named by an option', (names, wanted, message) => {
    expect(() => choose(names, { wanted })).toThrow(message);
  });
});
