import { describe, expect, it } from 'vitest';
import { chooseColumns } from '../../../src/cli/check-file/input-rows.ts';
import { guessDelimiter } from '../../../src/lib/csv-dialect.ts';
import { readHeader } from '../../../src/lib/row-columns.ts';

describe('the column of the address', () => {
  it.each([
    [['id', 'Email'], 'Email'],
    [['E-Mail', 'mail_sent'], 'E-Mail'],
    [['id', 'email_address'], 'email_address'],
    [['Name', 'Mailadresse'], 'Mailadresse'],
    [['Adresse'], 'Adresse'],
  ])('of %j is %s', (names, email) => {
    expect(chooseColumns(names, [], 'a.csv')).toEqual({ email, kept: names });
  });

  it.each([[['id', 'contact']], [['home_mail', 'work_mail']], [['email', 'E-Mail']], [[]]])(
    'of %j must be named by an option',
    (names) => {
      expect(() => chooseColumns(names, [], 'a.csv')).toThrow(
        `a.csv: which column holds the address? --columns names it; there are ${names.join(', ')}`,
      );
    },
  );

  it('is the first column that is wanted, in any case, and all columns are kept', () => {
    expect(chooseColumns(['id', 'contact'], ['CONTACT'], 'a.csv')).toEqual({
      email: 'contact',
      kept: ['id', 'contact'],
    });
  });

  it('is output with the other wanted columns, in their order', () => {
    expect(chooseColumns(['id', 'x', 'mail'], ['mail', 'id'], 'a.csv').kept).toEqual(['mail', 'id']);
  });

  it('that does not exist is refused, with the most similar name', () => {
    expect(() => chooseColumns(['id', 'email'], ['emial'], 'a.csv')).toThrow(
      'a.csv: there is no column "emial" (did you mean email?); there are id, email',
    );
  });
});

describe('columns of JSON lines that the first line does not have', () => {
  it('are used as wanted, unless they are similar to one that it has', () => {
    const found = chooseColumns(['id', 'name'], ['contact', 'ID'], 'a.jsonl', true);
    expect(found).toEqual({ email: 'contact', kept: ['contact', 'id'] });
    expect(() => chooseColumns(['id', 'email'], ['emial'], 'a.jsonl', true)).toThrow('did you mean email?');
    expect(() => chooseColumns(['id', 'email'], ['2'], 'a.jsonl', true)).toThrow('there is no column "2"');
  });
});

describe('the header', () => {
  it('is the first record, where each of its names occurs once', () => {
    expect(readHeader([' id', 'x', 'x', '', 'x_2'], [])).toEqual({
      names: ['id', 'x', 'x_2', 'column_4', 'x_2_2'],
      wanted: [],
      isThere: true,
    });
  });

  it('is missing where a cell of the first record has an @', () => {
    expect(readHeader(['1', 'a@b.org'], [])).toEqual({
      names: ['column_1', 'column_2'],
      wanted: ['column_2'],
      isThere: false,
    });
  });

  it('is missing where columns are wanted by number', () => {
    expect(readHeader(['a', 'b', 'c'], ['3', '1'])).toMatchObject({
      wanted: ['column_3', 'column_1'],
      isThere: false,
    });
    expect(readHeader(['3', 'b', 'c'], ['3']).isThere).toBe(true);
  });
});

describe('the delimiter', () => {
  it.each([
    ['id,email', ','],
    ['id;email;"a,b,c,d"', ';'],
    ['id\temail', '\t'],
    ['email', ','],
  ])('of %j is %j', (line, delimiter) => {
    expect(guessDelimiter(line)).toBe(delimiter);
  });
});
