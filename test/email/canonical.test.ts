import { describe, expect, test } from 'vitest';
import { readAddress } from '../../src/email/read-address.ts';

function read(raw: string) {
  const reading = readAddress(raw);
  if (!reading.ok) throw new Error(`refused: ${reading.refusal.code}`);
  return reading.address;
}

/** Typed, canonical, subaddress, whether dots were removed, basis. */
const ROWS: readonly (readonly [string, string, string | null, boolean, string])[] = [
  ['M.ary+News@gmail.com', 'mary@gmail.com', 'news', true, 'provider'],
  ['mary@googlemail.com', 'mary@gmail.com', null, false, 'provider'],
  ['ma.ry+a+b@GoogleMail.com', 'mary@gmail.com', 'a+b', true, 'provider'],
  ['ma..ry@gmail.com', 'mary@gmail.com', null, true, 'provider'],
  ['mary+@gmail.com', 'mary@gmail.com', '', false, 'provider'],
  ['+x@gmail.com', '+x@gmail.com', null, false, 'provider'],
  ['...@gmail.com', '"..."@gmail.com', null, false, 'provider'],
  ['.+x@gmail.com', '"."@gmail.com', 'x', false, 'provider'],
  ['"ma.ry+x"@gmail.com', 'mary@gmail.com', 'x', true, 'provider'],
  ['m.ary@mail.gmail.com', 'm.ary@mail.gmail.com', null, false, 'generic'],
  ['m.ary@notgmail.com', 'm.ary@notgmail.com', null, false, 'generic'],

  ['m.ary+x@outlook.com', 'm.ary@outlook.com', 'x', false, 'provider'],
  ['m.ary+x@outlook.com.ar', 'm.ary@outlook.com.ar', 'x', false, 'provider'],
  ['mary+x@hotmail.co.uk', 'mary@hotmail.co.uk', 'x', false, 'provider'],
  ['mary+x@live.fr', 'mary@live.fr', 'x', false, 'provider'],
  ['mary+x@msn.com', 'mary@msn.com', 'x', false, 'provider'],

  ['mary+x@yahoo.com', 'mary+x@yahoo.com', null, false, 'provider'],
  ['mary-x@yahoo.co.jp', 'mary-x@yahoo.co.jp', null, false, 'provider'],
  ['m.ary+x@ymail.com', 'm.ary+x@ymail.com', null, false, 'provider'],
  ['mary+x@yahoo.example', 'mary@yahoo.example', 'x', false, 'generic'],
  ['mary+x@rocketmail.com', 'mary+x@rocketmail.com', null, false, 'provider'],

  ['m.ary+x@icloud.com', 'm.ary@icloud.com', 'x', false, 'provider'],
  ['mary+x@me.com', 'mary@me.com', 'x', false, 'provider'],
  ['mary+x@mac.com', 'mary@mac.com', 'x', false, 'provider'],

  ['m.ary+x@fastmail.com', 'm.ary@fastmail.com', 'x', false, 'provider'],
  ['Shop@Mary.fastmail.com', 'mary@fastmail.com', 'shop', false, 'provider'],
  ['shop+a@mary.fastmail.fm', 'mary@fastmail.fm', 'shop+a', false, 'provider'],
  ['shop@a.mary.fastmail.com', 'shop@a.mary.fastmail.com', null, false, 'generic'],
  ['shop@notfastmail.com', 'shop@notfastmail.com', null, false, 'generic'],

  ['m.a-r_y+x@proton.me', 'mary@proton.me', 'x', true, 'provider'],
  ['ma-ry@protonmail.com', 'mary@protonmail.com', null, false, 'provider'],
  ['-_.@pm.me', '"-_."@pm.me', null, false, 'provider'],
  ['---@pm.me', '---@pm.me', null, false, 'provider'],

  ['ma.ry+x@yandex.com', 'ma-ry@yandex.ru', 'x', true, 'provider'],
  ['ma-ry@ya.ru', 'ma-ry@yandex.ru', null, false, 'provider'],
  ['+x@yandex.kz', '+x@yandex.ru', null, false, 'provider'],
  ['+x+y@yandex.kz', '+x@yandex.ru', 'y', false, 'provider'],
  ['mary@yandex.example', 'mary@yandex.example', null, false, 'generic'],
  ['mary@yandex.xyz', 'mary@yandex.xyz', null, false, 'generic'],

  ['m.ary+x@zoho.com', 'm.ary@zoho.com', 'x', false, 'provider'],
  ['m.ary+x@mailbox.org', 'm.ary@mailbox.org', 'x', false, 'provider'],
  ['m.ary+x@runbox.com', 'm.ary@runbox.com', 'x', false, 'provider'],
  ['m.ary+x@emailsrvr.com', 'm.ary@emailsrvr.com', 'x', false, 'provider'],
  ['m.ary+x@tuta.com', 'm.ary+x@tuta.com', null, false, 'provider'],
  ['m.ary+x@gmx.de', 'm.ary+x@gmx.de', null, false, 'provider'],
  ['m.ary+x@web.de', 'm.ary+x@web.de', null, false, 'provider'],
  ['m.ary+x@mail.com', 'm.ary+x@mail.com', null, false, 'provider'],
  ['m.ary+x@t-online.de', 'm.ary+x@t-online.de', null, false, 'provider'],

  ['M.ary+x+y@example.org', 'm.ary@example.org', 'x+y', false, 'generic'],
  ['mary@example.org', 'mary@example.org', null, false, 'generic'],
  ['+@example.org', '+@example.org', null, false, 'generic'],
  ['mary+x@localhost', 'mary@localhost', 'x', false, 'generic'],
  ['Mary+x@[192.0.2.1]', 'mary+x@[192.0.2.1]', null, false, 'none'],
  ['JOSÉ@bücher.example', 'josé@xn--bcher-kva.example', null, false, 'generic'],
];

describe('the canonical form follows the rules of the provider', () => {
  test.each(ROWS)('%s is %s', (typed, canonical, subaddress, hasDotsRemoved, basis) => {
    const address = read(typed);
    expect([
      address.canonical.address,
      address.subaddress,
      address.hasDotsRemoved,
      address.canonical.basis,
    ]).toEqual([canonical, subaddress, hasDotsRemoved, basis]);
  });
});

test('unneeded quotes are removed and needed ones kept', () => {
  expect(read('"mary.ann"@example.org').canonical.address).toBe('mary.ann@example.org');
  expect(read('"mary \\x"@example.org').canonical.address).toBe('"mary x"@example.org');
  expect(read('"a\\"b\\\\c"@example.org').canonical.address).toBe('"a\\"b\\\\c"@example.org');
});

test('a misplaced dot gives one canonical form, quoted or not', () => {
  expect(read('mary..ann@example.org').canonical.address).toBe('"mary..ann"@example.org');
  expect(read('"mary..ann"@example.org').canonical.address).toBe('"mary..ann"@example.org');
});

test('an accent combines with its letter when the dot between them is removed', () => {
  expect(read('e.\u0301@gmail.com').canonical.address).toBe('\u00e9@gmail.com');
});

test('composed and decomposed characters give one address', () => {
  expect(read('jose\u0301@example.org').canonical.address).toBe(
    read('jos\u00e9@example.org').canonical.address,
  );
});
