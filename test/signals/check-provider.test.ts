import { describe, expect, it } from 'vitest';
import { configKeys } from '../../src/app/config/schema.ts';
import { checkProvider, SETTINGS } from '../../src/signals/check-provider.ts';
import { planCollection } from '../../src/signals/plan-collection.ts';
import { aFact, aLocalProvider, aNetworkProvider } from '../support/providers.ts';

describe('checkProvider', () => {
  it('accepts a valid declaration', () => {
    expect(checkProvider(aLocalProvider('sound'))).toEqual([]);
    expect(checkProvider(aNetworkProvider('sound'))).toEqual([]);
    expect(checkProvider({ ...aNetworkProvider('sound'), cache: null })).toEqual([]);
    const options = { properties: { url: { type: 'string', format: 'uri' } } };
    const origins = ['https://api.example.com', 'https://10.0.0.5:8443', { option: 'url' }];
    const http = { origins, concurrency: 4, maxBytes: 1_000 };
    expect(checkProvider(aNetworkProvider('sound', { uses: ['http'], options, http }))).toEqual([]);
  });

  it.each([
    ['no default export', undefined, 'has no default export'],
    ['an id that is not snake_case', aLocalProvider('Bad-Id'), 'id must be snake_case'],
    ['another API version', { ...aLocalProvider('x'), apiVersion: 2 }, 'apiVersion must be 1'],
    ['no description', { ...aLocalProvider('x'), description: '' }, 'description is missing'],
    ['an unknown stage', { ...aLocalProvider('x'), stage: 'lunar' }, 'stage must be'],
    ['no check', { ...aLocalProvider('x'), check: undefined }, 'check must be a function'],
    ['an unknown member', { ...aLocalProvider('x'), timeout: 3 }, 'unknown member "timeout"'],
    [
      'a fact twice',
      aLocalProvider('x', { facts: [aFact('x.a'), aFact('x.a')] }),
      'fact "x.a" is declared twice',
    ],
    [
      'a need of its own',
      aLocalProvider('x', { facts: [aFact('x.a')], needs: ['x.a'] }),
      'needs the fact "x.a", which is its own',
    ],
    ['an unknown port', { ...aLocalProvider('x'), uses: ['disk'] }, 'unknown port "disk"'],
    ...(['dns', 'smtp', 'http'] as const).map((port): [string, object, string] => [
      `a port that sends packets, ${port}, where it is asked with test keys too`,
      { ...aLocalProvider('x'), uses: ['clock', port] },
      `uses ${port}, so its stage must be "network"`,
    ]),
    ['http without saying where', { ...aNetworkProvider('x'), uses: ['http'] }, 'must say http: { origins'],
    ...(
      [
        [{}, 'http.origins must be a list'],
        [{ origins: [] }, 'http.origins must be a list'],
        [{ origins: 'https://api.example.com' }, 'http.origins must be a list'],
        [{ origins: ['http://api.example.com'] }, 'http.origins must be a list'],
        [{ origins: ['https://api.example.com/v1'] }, 'http.origins must be a list'],
        [{ origins: ['https://*.example.com/'] }, 'http.origins must be a list'],
        [{ origins: [{ url: 'x' }] }, 'http.origins must be a list'],
        [{ origins: [null] }, 'http.origins must be a list'],
        [{ origins: [{ option: 'url' }] }, 'names the option "url", which its options do not declare'],
        [
          { origins: ['https://a.example'], concurrency: 65 },
          'http.concurrency must be a whole number from 1',
        ],
        [{ origins: ['https://a.example'], maxBytes: 0 }, 'http.maxBytes must be a whole number from 1'],
        [{ origins: ['https://a.example'], retries: 9 }, 'http has an unknown member "retries"'],
      ] as const
    ).map(([http, fault]): [string, object, string] => [
      `http as ${JSON.stringify(http)}`,
      { ...aNetworkProvider('x'), uses: ['http'], http },
      fault,
    ]),
    [
      'http that it does not use',
      { ...aNetworkProvider('x'), http: { origins: ['https://a.example'] } },
      'declares http, so it must name "http" in uses',
    ],
    ['counting over the network', { ...aNetworkProvider('x'), counts: () => [] }, 'stage must be "local"'],
    ['counts that are no function', { ...aLocalProvider('x'), counts: ['x.f'] }, 'counts must be a function'],
    [
      'local answers that are to be kept',
      { ...aLocalProvider('x'), cache: { by: 'domain', knownSeconds: 1, unknownSeconds: 1 } },
      'has a cache, so its stage must be "network"',
    ],
    [
      'counts that are promised where nothing is counted',
      aLocalProvider('x', { counts: () => [], facts: [aFact('x.f', { never_unknown: true })] }),
      'none of its facts is never_unknown',
    ],
    ...[
      5,
      ['x.seen'],
      [[]],
      [[{ fact: 'x.seen', operator: 'is', value: true }]],
      [[{ fact: 'x.seen', operator: 'equal' }]],
    ].map((never): [string, object, string] => [
      `what never is, as ${JSON.stringify(never)}`,
      { ...aLocalProvider('x'), never },
      'never must be a list of lists of comparisons',
    ]),
    ['no facts', aLocalProvider('x', { facts: [] }), 'at least one fact'],
    ['a fact that is none', { ...aLocalProvider('x'), facts: [null] }, 'must be objects'],
    ['ports that are no list', { ...aLocalProvider('x'), uses: 5 }, 'uses must be a list'],
    ['needs that are no list', { ...aLocalProvider('x'), needs: 'a.b' }, 'needs must be a list'],
    [
      'a prepare that cannot be called',
      { ...aLocalProvider('x'), prepare: {} },
      'prepare must be a function',
    ],
    ['a time-out that is no time', { ...aNetworkProvider('x'), timeoutMs: Number.NaN }, 'timeoutMs must be'],
    [
      'a time-out that Node would take for 1 ms',
      { ...aNetworkProvider('x'), timeoutMs: 2 ** 31 },
      'timeoutMs must be a whole number from 1 to 2147483647',
    ],
    ['a cache without its lives', { ...aNetworkProvider('x'), cache: { by: 'domain' } }, 'knownSeconds must'],
    ['a cache by something else', { ...aNetworkProvider('x'), cache: { by: 'tld' } }, 'cache.by must be'],
    [
      'a cache with more',
      { ...aNetworkProvider('x'), cache: { ttl: 6 } },
      'cache has an unknown member "ttl"',
    ],
    ['a local time-out', { ...aLocalProvider('x'), timeoutMs: 5 }, 'timeoutMs, so its stage must be'],
    [
      'a promise that a network cannot keep',
      aNetworkProvider('x', { facts: [aFact('x.f', { never_unknown: true })] }),
      'cannot be never_unknown',
    ],
    [
      'the name of a slot that is not said to be filled',
      aLocalProvider('domain', { facts: [aFact('domain.has_mx', { type: 'integer', example: 1 })] }),
      'must say slot: "domain.has_mx"',
    ],
  ])('refuses %s', (_what, provider, fault) => {
    expect(checkProvider(provider).join('\n')).toContain(fault);
  });

  it('refuses an id that is a key of the configuration', () => {
    const keys = [...configKeys.keys()].flatMap((key) => /^providers\.([a-z_]+)$/.exec(key)?.[1] ?? []);
    expect(SETTINGS.toSorted()).toEqual(keys.toSorted());
    for (const id of keys)
      expect(checkProvider(aLocalProvider(id))).toEqual([
        `id "${id}" is a key of the configuration, providers.${id}: choose another id`,
      ]);
  });

  it.each(['risk_score', 'threshold', 'list', 'rollout'])(
    'refuses facts under "%s.", which is reserved, also of a provider with that id',
    (id) => {
      const provider = aLocalProvider(id, { facts: [aFact(`${id}.bucket`)] });
      expect(checkProvider(provider)).toEqual([
        `fact "${id}.bucket" begins with "${id}.", which is reserved`,
      ]);
      expect(checkProvider(aLocalProvider(`${id}s`, { facts: [aFact(`${id}s.bucket`)] }))).toEqual([]);
    },
  );

  it.each([
    ['an id outside its own name', aFact('other.fact'), 'must begin with "x."'],
    ['an id without a dot', aFact('fact'), 'must have an id like'],
    ['an unknown type', { ...aFact('x.f'), type: 'date' }, 'must have a type of'],
    [
      'a text with a list of values',
      aFact('x.f', { type: 'text', example: 'a', values: ['a'] }),
      'lists values, so its type must be string, not text',
    ],
    [
      'a text that is empty',
      aFact('x.f', { type: 'text', example: '' }),
      'example that is not of its type: it must be text of 1 to 255 characters',
    ],
    [
      'a domain in capitals',
      aFact('x.f', { type: 'domain', example: 'Example.org' }),
      'not of its type: it must be a domain name as lower-case A-labels, without a final dot',
    ],
    ['a string without its values', aFact('x.f', { type: 'string', example: 'a' }), 'must list its values'],
    [
      'an example of another type',
      aFact('x.f', { example: 3 }),
      'example that is not of its type: it must be true or false',
    ],
    [
      'values that are no list',
      { ...aFact('x.f'), type: 'string', values: 'abc' },
      'must have values that are',
    ],
    [
      'a promise in words',
      { ...aFact('x.f'), never_unknown: 'false' },
      'must be never_unknown: true or false',
    ],
    ['an unknown member', { ...aFact('x.f'), unit: 'ms' }, 'unknown member "unit"'],
    [
      'what it is taken for where the provider fails, which could raise the score',
      { ...aFact('x.f', { never_unknown: true }), fallback: true },
      'unknown member "fallback"',
    ],
    ['an unknown slot', { ...aFact('domain.x'), slot: 'domain.x' }, 'unknown slot "domain.x"'],
    ['a slot under another id', aFact('x.mx', { slot: 'domain.has_mx' }), 'its id must be "domain.has_mx"'],
    [
      'a slot of another type',
      aFact('domain.has_mx', { slot: 'domain.has_mx', type: 'integer', example: 1 }),
      'must be of type boolean',
    ],
    [
      'other values than the slot has',
      aFact('domain.tld_risk_level', {
        slot: 'domain.tld_risk_level',
        type: 'string',
        values: ['low'],
        example: 'low',
      }),
      'low, medium, high',
    ],
  ])('refuses a fact with %s', (_what, fact, fault) => {
    expect(checkProvider({ ...aLocalProvider('x'), facts: [fact] }).join('\n')).toContain(fault);
  });
});

describe('planCollection', () => {
  it('lists the facts of disabled providers as disabled', () => {
    const { catalogue } = planCollection([aLocalProvider('on')], [aLocalProvider('off')]);
    expect(catalogue.facts.get('on.seen')).not.toHaveProperty('disabled');
    expect(catalogue.facts.get('off.seen')).toMatchObject({ provider: 'off', disabled: true });
  });

  it('lets no provider wait for a fact of a disabled one', () => {
    const { later, local } = planCollection(
      [aLocalProvider('asks', { needs: ['off.seen'] })],
      [aNetworkProvider('off')],
    );
    expect({ later, local }).toMatchObject({ later: [], local: [{ id: 'asks', needs: ['off.seen'] }] });
  });

  it('lets an enabled provider replace a disabled one', () => {
    const facts = [aFact('domain.has_mx', { slot: 'domain.has_mx' })];
    const { catalogue } = planCollection(
      [aLocalProvider('mine', { facts })],
      [aLocalProvider('mx', { facts })],
    );
    expect(catalogue.facts.get('domain.has_mx')).toMatchObject({ provider: 'mine' });
  });

  it.each([
    [
      'a need that no provider answers',
      [aLocalProvider('a', { needs: ['b.seen'] })],
      'which no provider answers',
    ],
    [
      'needs that lead in a circle',
      [aLocalProvider('a', { needs: ['b.seen'] }), aLocalProvider('b', { needs: ['a.seen'] })],
      'lead back to itself',
    ],
    [
      'a fact that is never unknown and is made of what a look-up tells',
      [
        aLocalProvider('a', { needs: ['b.seen'], facts: [aFact('a.seen', { never_unknown: true })] }),
        aNetworkProvider('b'),
      ],
      'fact "a.seen" cannot be never_unknown: it is made of what "b" may not find out',
    ],
    [
      'the same by way of a third',
      [
        aLocalProvider('a', { needs: ['c.seen'], facts: [aFact('a.seen', { never_unknown: true })] }),
        aNetworkProvider('b'),
        aLocalProvider('c', { needs: ['b.seen'] }),
      ],
      'fact "a.seen" cannot be never_unknown: it is made of what "c" may not find out',
    ],
    [
      'a look-up and a local provider that need each other',
      [aLocalProvider('a', { needs: ['b.seen'] }), aNetworkProvider('b', { needs: ['a.seen'] })],
      'lead back to itself',
    ],
  ])('stops the start at %s', (_what, providers, fault) => {
    expect(() => planCollection(providers)).toThrow(fault);
  });
});

it.each(['https://api.example.com', ['https://api.example.com']])(
  'reports http as %j, where an object is due, in one sentence',
  (http) => {
    expect(checkProvider({ ...aNetworkProvider('x'), uses: ['http'], http })).toEqual([
      'http.origins must be a list of origins such as "https://api.example.com", or of { option: "url" }',
    ]);
  },
);
