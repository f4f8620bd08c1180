import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkProviderOptions, type DeclaredOptions } from '../../../src/app/config/provider-options.ts';
import { faultsOf, type Given, load } from './load.ts';

const PROVIDERS: readonly DeclaredOptions[] = [
  {
    id: 'catch_all',
    options: {
      type: 'object',
      properties: {
        mode: { enum: ['off', 'cached', 'live'], default: 'cached' },
        helo_name: { type: ['string', 'null'], default: null },
        port: { type: 'integer', default: 25 },
        table_file: { type: 'string', format: 'path' },
      },
    },
  },
  { id: 'mx' },
  {
    id: 'paid',
    options: { properties: { api_key: { type: 'string', secret: true } }, required: ['api_key'] },
  },
];
const FREE: readonly DeclaredOptions[] = PROVIDERS.slice(0, 2);

const check = async (given: Given, declared = FREE) => {
  const loaded = await load(given);
  return { options: checkProviderOptions(loaded, declared), cwd: loaded.cwd };
};
const faults = (given: Given, declared = FREE) => faultsOf(() => check(given, declared));
const local = (text: string) => ({ written: { 'config/local.yaml': text } });

describe('checkProviderOptions', () => {
  it('adds each provider’s defaults', async () => {
    const { options } = await check({});
    expect(options).toEqual({ catch_all: { mode: 'cached', helo_name: null, port: 25 }, mx: {} });
  });

  it('merges layers option by option and converts variables by the provider’s schema', async () => {
    const { options } = await check({
      written: { 'config/local.yaml': 'providers: { catch_all: { mode: off, port: 26 } }' },
      env: {
        POSTERN__PROVIDERS__CATCH_ALL__PORT: '2525',
        POSTERN__PROVIDERS__CATCH_ALL__HELO_NAME: 'mx.example',
      },
    });
    expect(options.catch_all).toEqual({ mode: 'off', helo_name: 'mx.example', port: 2525 });
  });

  it('resolves paths from the file that names them', async () => {
    const { options, cwd } = await check(local('providers: { catch_all: { table_file: t.yaml } }'));
    expect(options.catch_all).toMatchObject({ table_file: join(cwd, 'config', 't.yaml') });
  });

  it('refuses a server address without https, with its place, beside a format that allows it', async () => {
    const url = { type: ['string', 'null'], format: 'uri', default: null };
    const declared: readonly DeclaredOptions[] = [
      {
        id: 'register',
        options: { properties: { url } },
        http: { origins: ['https://x.org', { option: 'url' }] },
      },
    ];
    const said = (value: string) => faults(local(`providers: { register: { url: ${value} } }`), declared);
    expect(await said('"http://127.0.0.1:9"')).toEqual([
      'config/local.yaml:1:26 providers.register.url must be an https: URL: the provider asks nothing else',
    ]);
    expect(await said('"https://us:passw0rd@register.example"')).toEqual([
      'config/local.yaml:1:26 providers.register.url must have no user and password: give them in an option that is a secret',
    ]);
    expect(await said('register')).toEqual([
      expect.stringContaining('providers.register.url must be a URL such as'),
    ]);
    expect(await said('HTTPS://register.example/v1')).toEqual([]);
    expect(await said('null')).toEqual([]);
  });

  it('accepts an empty section', async () => {
    expect((await check(local('providers:\n  mx:\n'))).options.mx).toEqual({});
  });

  it('refuses unknown providers, unknown options and wrong values together, each with its place', async () => {
    const text = [
      'providers:',
      '  cath_all: { mode: off }',
      '  catch_all:',
      '    mod: off',
      '    port: x',
      '  mx: { a: 1 }',
    ];
    const env = { POSTERN__PROVIDERS__CATCH_ALL__MODE: 'lve', POSTERN__PROVIDERS__MXX__A: '1' };
    expect((await faults({ ...local(text.join('\n')), env })).toSorted()).toEqual([
      'POSTERN__PROVIDERS__CATCH_ALL__MODE: must be one of off, cached, live, not "lve" (did you mean live?)',
      'POSTERN__PROVIDERS__MXX__A: is not a known provider (did you mean mx?)',
      'config/local.yaml:2:3 providers.cath_all is not a known provider (did you mean catch_all?)',
      'config/local.yaml:4:5 providers.catch_all.mod is not a known key (did you mean mode?)',
      'config/local.yaml:5:5 providers.catch_all.port must be a whole number, not "x"',
      'config/local.yaml:6:9 providers.mx.a is not a known key',
    ]);
  });

  it('names the folders and packages that were searched, for a key without a similar one', async () => {
    const where = ': folders of providers are listed in providers.paths, packages in providers.packages';
    expect(await faults(local('providers: { folders: [x] }'))).toEqual([
      `config/local.yaml:1:14 providers.folders must be a mapping${where}`,
    ]);
    expect(await faults(local('providers: { folders: { x: 1 }, private_origin: {} }'))).toEqual([
      `config/local.yaml:1:14 providers.folders is not a known provider${where}`,
      'config/local.yaml:1:33 providers.private_origin is not a known provider (did you mean private_origins?)',
    ]);
  });

  it('names the option that must be set', async () => {
    expect(await faults({}, PROVIDERS)).toEqual(['providers.paid.api_key must be set']);
  });

  it.each([
    ['uri', 'api.example.com', 'must be a URL such as https://api.example.com/v2'],
    ['email', 'jane', 'must be an email address'],
    ['date', '27.11.2026', 'must be a day such as 2026-11-27'],
    ['hostname', '-x-', 'must be the name of a host'],
    ['json-pointer', 'x', 'must be of the form json-pointer'],
    [
      'https-origin',
      'https://a.example/',
      'must be https:// and a host, with a port where it is not 443, such as https://risk.internal:8443',
    ],
  ])('checks an option against the format %s, and states what it must be', async (format, value, says) => {
    const declared = [...FREE, { id: 'own', options: { properties: { at: { type: 'string', format } } } }];
    expect(await faults(local(`providers: { own: { at: ${value} } }`), declared)).toEqual([
      `config/local.yaml:1:21 providers.own.at ${says}, not "${value}"`,
    ]);
  });

  it.each([
    ['{ from: 5 }', 'from must be text or a list, not 5'],
    ['{ from: x }', 'from must be a URL such as https://api.example.com/v2, not "x"'],
    [
      '{ from: ["https://a.example", 7, y] }',
      'from[1] must be text, not 7',
      'from[2] must be a URL such as https://api.example.com/v2, not "y"',
    ],
    ['{ most: 0 }', 'most must be at least 1, not 0'],
    ['{ by: { name: a } }', 'by.words must be set'],
    ['{ by: { name: a, words: 5 } }', 'by.words must be a list or null, not 5'],
    ['{ odd: 4 }', 'odd must match exactly one schema in oneOf, not 4'],
  ])(
    'reports for an option with several forms, %s, the fault against the nearest form',
    async (given, ...told) => {
      const uri = { type: 'string', format: 'uri' };
      const words = { anyOf: [{ type: 'array' }, { type: 'null' }] };
      const named = (name: string, properties: object) => ({
        properties: { name: { const: name }, ...properties },
        required: ['name', ...Object.keys(properties)],
      });
      const properties = {
        from: { anyOf: [uri, { type: 'array', items: uri }] },
        most: { oneOf: [{ type: 'null' }, { type: 'integer', minimum: 1 }] },
        by: { oneOf: [named('a', { words }), named('b', { count: {}, limit: {} })] },
        odd: { oneOf: [{ type: 'integer' }, { type: 'number' }] },
      };
      const found = await faults(local(`providers: { own: ${given} }`), [
        ...FREE,
        { id: 'own', options: { properties } },
      ]);
      expect(found.map((fault) => fault.replace(/^\S+ providers\.own\./, ''))).toEqual(told);
    },
  );

  it.each([
    { type: 'string', format: 'uuid' },
    { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'integer' }] },
  ])('never shows a secret that has the wrong form: %j', async (form) => {
    const key = { secret: true, ...form };
    const env = { POSTERN__PROVIDERS__OWN__KEY_FILE: 'key' };
    const declared = [{ id: 'own', options: { properties: { key } } }];
    expect(await faults({ written: { key: 's3cret\n' }, env }, declared)).toEqual([
      'POSTERN__PROVIDERS__OWN__KEY_FILE: must be a UUID',
    ]);
  });

  it.each([
    [
      's3cret',
      { anyOf: [{ enum: ['off'] }, { type: 'string', minLength: 20, secret: true }] },
      'be one of off',
    ],
    [5551234, { anyOf: [{ type: 'null' }, { type: 'string', secret: true }] }, 'be null or text'],
    [
      's3cret',
      { oneOf: [{ type: 'string', secret: true }, { minLength: 1 }] },
      'match exactly one schema in oneOf',
    ],
    [
      'redis://a:s3cret@b',
      { anyOf: [{ enum: ['off'] }, { type: 'string', format: 'postgres-url', holds_password: true }] },
      'be one of off, not "redis://a:[redacted]@b"',
    ],
  ])('never shows a secret that is one of several forms: %j for %j', async (given, key, says) => {
    const file = local(`providers: { own: { key: ${JSON.stringify(given)} } }`);
    const found = await faults(file, [...FREE, { id: 'own', options: { properties: { key } } }]);
    expect(found.map((fault) => fault.replace(/^\S+ /, ''))).toEqual([`providers.own.key must ${says}`]);
  });

  const SECRET = { type: 'string', minLength: 20, secret: true };
  it.each([
    ['a reference', { key: { anyOf: [{ $ref: '#/$defs/key' }, { type: 'null' }] } }],
    ['a reference by name', { key: { $ref: '#key' } }],
    ['choices beside it', { key: { ...SECRET, allOf: [{ anyOf: [{ minLength: 20 }, { enum: ['off'] }] }] } }],
    ['all of several', { key: { allOf: [{ minLength: 20 }, { secret: true }] } }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['a condition', { key: { minLength: 20, if: { minLength: 3 }, then: { secret: true } } }],
    ['another condition', { key: { minLength: 20, if: { minLength: 9 }, else: { secret: true } } }],
    ['what it must not be', { key: { minLength: 20, not: { secret: true, const: 'off' } } }],
  ])('never shows a secret that %s marks', async (_where, properties) => {
    const options = { $defs: { key: { $anchor: 'key', ...SECRET } }, properties };
    const found = await faults(local('providers: { own: { key: s3cret } }'), [
      ...FREE,
      { id: 'own', options },
    ]);
    expect(found).not.toEqual([]);
    expect(found.join()).not.toContain('s3cret');
  });

  it.each([
    ['[s3cret]', { items: SECRET }, 'key holds a secret that must have at least 20 characters'],
    ['[s3cret]', { prefixItems: [SECRET] }, 'key holds a secret that must have at least 20 characters'],
    [
      '[s3cret]',
      { items: { minLength: 20 }, contains: { secret: true } },
      'key holds a secret that must have at least 20 characters',
    ],
    ['[s3cret]', { secret: true, items: { minLength: 20 } }, 'key holds a secret that must have at least 20'],
    [
      '{ a: s3cret }',
      { additionalProperties: SECRET },
      'key holds a secret that must have at least 20 characters',
    ],
    [
      '{ a: s3cret }',
      { patternProperties: { '^a': SECRET } },
      'key holds a secret that must have at least 20 characters',
    ],
    [
      '{ a: s3cret }',
      { unevaluatedProperties: SECRET },
      'key holds a secret that must have at least 20 characters',
    ],
    [
      '{ s3cret: a }',
      { secret: true, additionalProperties: false },
      'key holds a secret that is not a known key',
    ],
    ['{ s3cret: a }', { propertyNames: SECRET }, 'key must have at least 20 characters'],
    [
      '{ a: { b: s3cret } }',
      { secret: true, properties: { a: { properties: { b: { minLength: 20 } } } } },
      'key.a holds a secret that must have at least 20 characters',
    ],
  ])('never shows a secret inside a value: %s for %j', async (given, key, says) => {
    const own = { id: 'own', options: { properties: { key } } };
    const found = await faults(local(`providers: { own: { key: ${given} } }`), [...FREE, own]);
    expect(found.join()).not.toContain('s3cret');
    expect(found[0]).toContain(` providers.own.${says}`);
  });

  it('reads a provider’s secret from a file', async () => {
    const env = { POSTERN__PROVIDERS__PAID__API_KEY_FILE: 'key' };
    const { options } = await check({ written: { key: 's3cret\n' }, env }, PROVIDERS);
    expect(options.paid).toEqual({ api_key: 's3cret' });
  });

  it('reads from a file an option that a referenced schema declares secret', async () => {
    const env = { POSTERN__PROVIDERS__OWN__KEY_FILE: 'key' };
    const own = { $defs: { key: { secret: true } }, properties: { key: { $ref: '#/$defs/key' } } };
    const { options } = await check({ written: { key: 's3cret\n' }, env }, [{ id: 'own', options: own }]);
    expect(options.own).toEqual({ key: 's3cret' });
  });

  it('refuses a secret that is set twice, and one whose file is missing', async () => {
    const env = { POSTERN__PROVIDERS__PAID__API_KEY_FILE: 'key', POSTERN__PROVIDERS__PAID__API_KEY: 'x' };
    expect(await faults({ written: { key: 's' }, env }, PROVIDERS)).toEqual([
      'POSTERN__PROVIDERS__PAID__API_KEY_FILE: the secret is set twice',
    ]);
    const missing = { POSTERN__PROVIDERS__PAID__API_KEY_FILE: 'key' };
    expect(await faults({ env: missing }, PROVIDERS)).toContain(
      'POSTERN__PROVIDERS__PAID__API_KEY_FILE: key does not exist',
    );
  });

  it('accepts schemas of the same name from two providers', async () => {
    const named = { $id: 'https://example.com/options', properties: { depth: { default: 3 } } };
    const { options } = await check(
      {},
      ['one', 'two'].map((id) => ({ id, options: named })),
    );
    expect(options).toEqual({ one: { depth: 3 }, two: { depth: 3 } });
  });
});
