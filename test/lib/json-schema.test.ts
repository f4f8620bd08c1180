import { describe, expect, it } from 'vitest';
import { formats, pathOfSqlite } from '../../src/lib/json-schema.ts';

const accepts = (format: string, text: string) => formats[format]?.check(text);

describe('name-server', () => {
  it.each(['127.0.0.1', '127.0.0.1:5353', '::1', '[::1]', '[::1]:53', '9.9.9.9:65535'])(
    'accepts %s',
    (text) => {
      expect(accepts('name-server', text)).toBe(true);
    },
  );
  it.each(['', 'dns.example', '127.0.0.1:0', '127.0.0.1:65536', '127.0.0.1:', '[127.0.0.1]:53', '256.0.0.1'])(
    'refuses %j',
    (text) => {
      expect(accepts('name-server', text)).toBe(false);
    },
  );
});

describe('address-range', () => {
  it.each(['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/32', '::ffff:10.0.0.1'])(
    'accepts %s',
    (text) => {
      expect(accepts('address-range', text)).toBe(true);
    },
  );
  it.each(['', 'proxy', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '10.0.0/8'])(
    'refuses %j',
    (text) => {
      expect(accepts('address-range', text)).toBe(false);
    },
  );
});

describe('https-url', () => {
  it.each([
    'https://dns.example/dns-query',
    'http://127.0.0.1:8053/q',
    'http://localhost/',
    'http://[::1]:1/',
  ])('accepts %s', (text) => {
    expect(accepts('https-url', text)).toBe(true);
  });
  it.each(['', 'dns.example', 'http://dns.example/', 'http://localhost.example/', 'ftp://127.0.0.1/'])(
    'refuses %j',
    (text) => {
      expect(accepts('https-url', text)).toBe(false);
    },
  );
});

describe('pathOfSqlite', () => {
  it.each([
    ['a/b.db', 'a/b.db'],
    ['sqlite:a.db', 'a.db'],
    ['SQLITE:/a.db', '/a.db'],
    ['sqlite:///a.db', '/a.db'],
    ['C:\\a.db', 'C:\\a.db'],
    ['postgres://h/d', undefined],
    ['sqlite:', undefined],
    ['dt=1/a.db', 'dt=1/a.db'],
    ['sqlite:host=db', 'host=db'],
    ['host=db user=x', undefined],
    [" dbname = 'x' password=y", undefined],
  ])('reads %s', (text, path) => {
    expect(pathOfSqlite(text)).toBe(path);
  });
});
