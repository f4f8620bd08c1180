import { expect, it } from 'vitest';
import { bothFamilies, outcomeOfCode } from '../../src/net/dns-outcome.ts';

const v4 = { outcome: 'found', records: ['192.0.2.1'] } as const;
const v6 = { outcome: 'found', records: ['2001:db8::1'] } as const;

it('joins the families', () => {
  expect(bothFamilies(v4, v6)).toEqual({ outcome: 'found', records: ['192.0.2.1', '2001:db8::1'] });
  expect(bothFamilies(v4, { outcome: 'nodata' })).toEqual(v4);
});

it('marks what one family alone answered as partial', () => {
  expect(bothFamilies(v4, { outcome: 'servfail' })).toEqual({ ...v4, partial: true });
});

it('answers that there is nothing only when both families were answered', () => {
  expect(bothFamilies({ outcome: 'nodata' }, { outcome: 'timeout' })).toEqual({ outcome: 'timeout' });
  expect(bothFamilies({ outcome: 'nodata' }, { outcome: 'nodata' })).toEqual({ outcome: 'nodata' });
  expect(bothFamilies({ outcome: 'nxdomain' }, { outcome: 'nodata' })).toEqual({ outcome: 'nxdomain' });
});

it('calls what it does not know an error, never an absence', () => {
  for (const thrown of [
    new Error('no code'),
    Object.assign(new Error('odd'), { code: 'EODD' }),
    'text',
    null,
  ]) {
    expect(outcomeOfCode(thrown)).toBe('error');
  }
});
