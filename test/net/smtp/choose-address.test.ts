import { expect, it } from 'vitest';
import { chooseAddress } from '../../../src/net/smtp/choose-address.ts';

it.each<[what: string, records: readonly string[], chosen: string | undefined]>([
  ['the public one among private ones', ['10.0.0.1', '::1', '8.8.4.4', '127.0.0.1'], '8.8.4.4'],
  ['IPv4 before IPv6', ['2606:4700::1', '8.8.4.4'], '8.8.4.4'],
  ['IPv6 where there is no other', ['fe80::1', '2606:4700::2', '2606:4700::1'], '2606:4700::1'],
  ['the same whatever the order', ['9.9.9.9', '8.8.8.8'], '8.8.8.8'],
  ['none where all are private', ['10.0.0.1', '::ffff:8.8.8.8', '169.254.169.254'], undefined],
  ['none where there is none', [], undefined],
])('takes %s', (_what, records, chosen) => expect(chooseAddress(records, false)).toBe(chosen));

it('takes a private one where that is allowed', () => {
  expect(chooseAddress(['::1', '127.0.0.1'], true)).toBe('127.0.0.1');
});
