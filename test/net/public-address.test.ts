import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/net/public-address.ts';

describe('a public address', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8'])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['10.0.0.1', '172.16.0.1', '192.168.1.1'],
    ['127.0.0.1', '::1', '0.0.0.0', '::'],
    ['169.254.169.254', 'fe80::1', 'fec0::1'],
    ['100.64.0.1', 'fc00::1', 'fd12::1'],
    ['64:ff9b::808:808', '64:ff9b:1::1', '2002:7f00:1::', '2001::1'],
    ['::ffff:10.0.0.1', '::ffff:127.0.0.1', '::10.0.0.1'],
    ['224.0.0.1', '255.255.255.255', '240.0.0.1', 'ff02::1'],
    ['192.0.2.1', '198.18.0.1', '2001:db8::1', '4000::1'],
    ['', 'localhost', '10.1', 'x'],
  ])('is none of %s, %s, …', (...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});
