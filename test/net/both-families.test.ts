import { expect, it } from 'vitest';
import { bothFamilies } from '../../src/net/caching-resolver.ts';

const v4 = { outcome: 'found', records: ['192.0.2.1'], ttlSeconds: 100 } as const;
const v6 = { outcome: 'found', records: ['2001:db8::1'], ttlSeconds: 200 } as const;

it('joins the families, with the shorter TTL', () => {
  expect(bothFamilies(v4, v6)).toEqual({ ...v4, records: ['192.0.2.1', '2001:db8::1'] });
  expect(bothFamilies(v4, { outcome: 'nodata', ttlSeconds: 60 })).toEqual({ ...v4, ttlSeconds: 60 });
});

it('marks an answer of one family alone as partial', () => {
  expect(bothFamilies(v4, { outcome: 'servfail' })).toEqual({ ...v4, partial: true });
});

it('answers that there is nothing only when both families were answered', () => {
  expect(bothFamilies({ outcome: 'nodata' }, { outcome: 'timeout' })).toEqual({ outcome: 'timeout' });
  expect(bothFamilies({ outcome: 'nodata' }, { outcome: 'nodata' })).toEqual({ outcome: 'nodata' });
  expect(bothFamilies({ outcome: 'nxdomain' }, { outcome: 'nodata' })).toEqual({ outcome: 'nxdomain' });
});
