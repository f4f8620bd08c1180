import { describe, expect, it } from 'vitest';
import type { CheckRow } from '../../src/storage/ports.ts';
import { packRows, unpackRows } from '../../src/storage/sqlite/packed-rows.ts';
import { CHECK_COLUMNS, valuesOf } from '../../src/storage/sqlite/schema.ts';
import { checkOf, rowOf } from './rows.ts';

const aRow = (id: string, fields: Partial<CheckRow> = {}): CheckRow => ({ ...rowOf(checkOf(id)), ...fields });

it('a row as a list has its columns in their order', () => {
  const row = Object.fromEntries(CHECK_COLUMNS.map((column) => [column, `of ${column}`]));
  expect(valuesOf(row as unknown as CheckRow)).toEqual(CHECK_COLUMNS.map((column) => `of ${column}`));
});

describe('packed rows', () => {
  it('are unpacked as they were: empty text, null, numbers, and text of any script', () => {
    const rows = [
      aRow('chk_1', { facts: '', domain: null, risk_score: 0, duration_us: null }),
      aRow('chk_2', { domain: 'bücher.example', address: '漢字😀\ud800@example.com', risk_score: 100 }),
      aRow('chk_3', { address: '12', challenger: null, shadow_rules: '{}', duration_us: 1_234 }),
    ];
    const received = structuredClone(packRows(rows.map(valuesOf)));
    expect(unpackRows(received)).toEqual(rows.map((row) => CHECK_COLUMNS.map((column) => row[column])));
  });

  it('hold null where there is no text, so that the columns after it stay in their places', () => {
    const poor = Object.assign(aRow('chk_1'), { facts: undefined, ledger: true });
    const [first, second] = unpackRows(packRows([poor, aRow('chk_2')].map(valuesOf)));
    expect(first).toEqual(
      CHECK_COLUMNS.map((column) => (column === 'facts' || column === 'ledger' ? null : poor[column])),
    );
    expect(second?.[0]).toBe('chk_2');
  });

  it('hold what is the same from row to row once, and what comes back to it again', () => {
    const rows = [
      aRow('chk_1', { sources: '{"tld":"1"}', domain: null, address: null }),
      aRow('chk_2', { sources: '{"tld":"1"}', domain: null, address: 'x' }),
      aRow('chk_3', { sources: '{"tld":"2"}', domain: 'example.com', address: null }),
      aRow('chk_4', { sources: '{"tld":"1"}', domain: null, address: null }),
    ];
    const packed = packRows(rows.map(valuesOf));
    expect(unpackRows(packed)).toEqual(rows.map((row) => CHECK_COLUMNS.map((column) => row[column])));
    expect(packed.text.split('{"tld":"1"}')).toHaveLength(3);
  });

  it('may be none', () => {
    expect(unpackRows(packRows([]))).toEqual([]);
  });
});
