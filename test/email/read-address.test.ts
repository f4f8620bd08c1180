import { describe, expect, test } from 'vitest';
import { readAddress } from '../../src/email/read-address.ts';

function read(raw: string) {
  const reading = readAddress(raw);
  if (!reading.ok) throw new Error(`refused: ${reading.refusal.code}`);
  return reading.address;
}

describe('a clean address has no faults', () => {
  test.each([
    'mary@example.org',
    'Mary.Ann@Example.ORG',
    "o'brien+news=2@mail.example.co.uk",
    "!#$%&'*+-/=?^_`{|}~@example.org",
    '1@1.io',
    'xn--mary@example.org',
    'mary@a-b--c.example',
    'mary@xn--bcher-kva.example',
    'mary@bücher.example',
    // The case-folded form of Cherokee is its capitals; the A-label is of `ᏣᎳᎩ`.
    'maria@ᏣᎳᎩ.com',
    'maria@xn--f9dt7l.com',
    'mary@faß.example',
    'jos\u00e9@example.org',
    'юзер@пример.рф',
    '用户@例子.公司',
    'משתמש@דוגמה.קום',
    '🙂@example.org',
    `${'a'.repeat(64)}@example.org`,
    `${'я'.repeat(32)}@example.org`,
    `mary@${'a'.repeat(63)}.io`,
    'clean@postern.test',
    'mary@example.com',
    'mary@mail.invalid',
    '\u3000 mary@example.org\r\n',
  ])('%j', (typed) => {
    expect(read(typed).faults).toEqual([]);
  });
});

test('raw is the submitted string, untrimmed', () => {
  expect(read(' mary@example.org\n').raw).toBe(' mary@example.org\n');
});

test('the local part keeps its case and its tag, in NFC and without quotes', () => {
  expect(read('Jose\u0301+Tag@example.org').localPart).toBe('Jos\u00e9+Tag');
  expect(read('"Mary \\"Ann\\" \\x"@example.org').localPart).toBe('Mary "Ann" x');
  expect(read('(a) Mary (b) . (c) "Ann" (d) @example.org').localPart).toBe('Mary.Ann');
});

test('a name with angle brackets around it does not change the address', () => {
  const { localPart, domain, canonical } = read('"Jones, Mary" <Mary+x@Example.org> (home)');
  expect([localPart, domain, canonical.address]).toEqual(['Mary+x', 'example.org', 'mary@example.org']);
});

test('the domain is a lower-case A-label name without a final dot', () => {
  expect(read('m@BÜCHER.Example.').domain).toBe('xn--bcher-kva.example');
  expect(read('m@bu\u0308cher.example').domain).toBe('xn--bcher-kva.example');
  expect(read('m@ｅｘａｍｐｌｅ。ｏｒｇ').domain).toBe('example.org');
  expect(read('m@exa\u200bmple.org').domain).toBe('example.org');
  // Non-transitional: faß and fass are two domains (UTS 46, 4).
  expect(read('m@faß.example').domain).toBe('xn--fa-hia.example');
});

test('a name that cannot be decoded is kept as it is written', () => {
  expect(read('m@XN--0.example').domain).toBe('xn--0.example');
});

test('the kind of the domain is reported', () => {
  expect(read('m@example.org').domainKind).toBe('name');
  expect(read('m@localhost').domainKind).toBe('dotless');
  expect(read('m@[192.0.2.1]').domainKind).toBe('literal');
});

test('all notations of one host give one literal', () => {
  expect(read('m@[IPv6:2001:DB8:0:0:0:0:0:1]').domain).toBe('[ipv6:2001:db8::1]');
  expect(read('m@[ipv6:2001:db8::1]').domain).toBe('[ipv6:2001:db8::1]');
  expect(read('m@[192.0.2.1]').domain).toBe('[192.0.2.1]');
  expect(read('m@[IPv6:64:ff9b::192.0.2.33]').domain).toBe('[ipv6:64:ff9b::c000:221]');
});

test('an IPv6 address that ends in an IPv4 address keeps its value', () => {
  expect(read('m@[IPv6:::1.2.3.4]').domain).toBe('[ipv6:::102:304]');
  expect(read('m@[IPv6:::102:304]').domain).toBe('[ipv6:::102:304]');
  expect(read('m@[IPv6:::ffff:1.2.3.4]').domain).toBe('[ipv6:::ffff:102:304]');
});

test('the longest clean address has 254 octets, one more is too long', () => {
  const at = (length: number) => {
    const labels = `${'b'.repeat(59)}.`.repeat(3);
    return `${'a'.repeat(64)}@${labels}${'c'.repeat(length - 64 - 1 - labels.length - 3)}.io`;
  };
  expect(Buffer.byteLength(at(254))).toBe(254);
  expect(read(at(254)).faults).toEqual([]);
  expect(read(at(255)).faults.map((fault) => fault.code)).toEqual(['address_too_long']);
});

test('an international address is as long as the longer of its two forms', () => {
  // 62 octets a label as typed, 36 as an A-label: only the typed form exceeds the limit.
  const typed = `${'a'.repeat(8)}@${`${'я'.repeat(31)}.`.repeat(4)}io`;
  const { domain, faults } = read(typed);
  expect(8 + 1 + domain.length).toBeLessThan(254);
  expect(Buffer.byteLength(typed)).toBeGreaterThan(254);
  expect(faults.map((fault) => fault.code)).toEqual(['address_too_long']);
});
