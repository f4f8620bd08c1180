import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { loadServices } from '../../providers/relay/load.ts';
import { Canaries } from '../../src/lists/canaries.ts';

const require = createRequire(import.meta.url);
const canaries = new Canaries([]);

describe('canaries', () => {
  it.each([
    'gmail.com',
    'outlook.com',
    'yahoo.com',
    'icloud.com',
    'qq.com',
    'mail.ru',
    'web.de',
    'proton.me',
  ])('are the big free providers: %s', (domain) => expect(canaries.kindOf(domain)).toBe('free provider'));

  it('are the relays, with the domains above them that somebody registered', () => {
    expect(
      ['mozmail.com', 'duck.com', 'privaterelay.appleid.com', 'appleid.com'].map((d) => canaries.kindOf(d)),
    ).toEqual(new Array(4).fill('relay'));
    expect(canaries.kindOf('com')).toBeUndefined();
    const missing = loadServices()
      .filter(({ service }) => !['spamgourmet', 'Sneakemail'].includes(service))
      .flatMap(({ domains }) => domains)
      .filter((domain) => canaries.kindOf(domain) !== 'relay');
    expect(missing).toEqual([]);
  });

  it('are what the operator allows, but not the domain of one person whom they allow', () => {
    const own = new Canaries([
      { value: 'Shop.example' },
      { value: '.corp.example' },
      { value: 'jane@throw.example' },
    ]);
    expect(
      [
        'shop.example',
        'x.shop.example',
        'corp.example',
        'x.corp.example',
        'notcorp.example',
        'throw.example',
      ].map((d) => own.kindOf(d)),
    ).toEqual(['your allow list', undefined, 'your allow list', 'your allow list', undefined, undefined]);
  });

  it.each([
    'disposable-domains/index.json',
    'disposable-email-domains-js/dist/dict/disposable_email_blocklist.json',
  ])('are left alone by a real list: %s', (file) => {
    const list: readonly string[] = JSON.parse(readFileSync(require.resolve(file), 'utf8'));
    expect(list.length).toBeGreaterThan(5_000);
    expect(list.filter((domain) => canaries.kindOf(domain))).toEqual([]);
  });
});
