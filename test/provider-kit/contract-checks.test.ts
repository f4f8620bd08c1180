import { describe, expect, it } from 'vitest';
import {
  defineProvider,
  isUnknown,
  type Setup,
  type SignalProvider,
  unknown,
} from '../../src/provider-kit/index.ts';
import { type ContractCases, contractChecks, fakeDns } from '../../src/provider-kit/testing/index.ts';
import { aFact, aLocalProvider, aNetworkProvider } from '../support/providers.ts';

const SEEN = { email: 'jane.doe@example.com', expect: { 'own.seen': true } };

/** The failed checks, by the first words of their names. */
async function faultsOf(provider: SignalProvider, cases: ContractCases = { cases: [SEEN] }) {
  const faults: [string, string][] = [];
  for (const { name, run } of contractChecks(provider, cases)) {
    const fault = await run().then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (fault !== undefined) faults.push([name, fault]);
  }
  return faults;
}

it('accepts a provider that keeps its contract', async () => {
  expect(await faultsOf(aLocalProvider('own'))).toEqual([]);
  expect(await faultsOf(aNetworkProvider('own'))).toEqual([]);
});

it('reports a fault of the declaration in the words of the start', async () => {
  expect(await faultsOf(aLocalProvider('own', { facts: [aFact('other.seen')] }))).toContainEqual([
    'the declaration has no fault',
    'fact "other.seen" fills no slot, so its id must begin with "own."',
  ]);
  expect(await faultsOf({} as SignalProvider)).toContainEqual([
    'the declaration has no fault',
    expect.stringContaining('id must be snake_case'),
  ]);
});

it.each([
  [{ source: 3 }, 'cannot prepare: its source is no text'],
  [{ lists: [{ name: 'one' }] }, 'cannot prepare: its lists must have a name and a number of entries each'],
])('refuses a result of prepare as the start does: %o', async (prepared, says) => {
  const provider = aLocalProvider('own', { prepare: () => ({ state: undefined, ...prepared }) as never });
  expect(await faultsOf(provider)).toContainEqual(['answers as expected: jane.doe@example.com', says]);
});

it.each([[new Map([['a', 1]])], [['a']], ['a table'], [{ table: {} }]])(
  'refuses a result of prepare without a declared state, as the start does: %o',
  async (prepared) => {
    const says =
      'cannot prepare: it returns no { state, source, lists }: what check is to be given goes into state';
    expect(await faultsOf(aLocalProvider('own', { prepare: () => prepared as never }))).toContainEqual([
      'answers as expected: jane.doe@example.com',
      says,
    ]);
  },
);

it('refuses a change of the lists that prepare receives, as the start does', async () => {
  const prepare = ({ lists }: Setup) => ({ state: void (lists.deny as unknown[]).push('x.example') });
  const fault = expect.stringMatching(
    /^cannot prepare: Cannot add property 0, .* at \S+\/contract-checks\.test\.ts:\d+:\d+$/,
  );
  expect(await faultsOf(aLocalProvider('own', { prepare }))).toContainEqual([
    'answers as expected: jane.doe@example.com',
    fault,
  ]);
});

it.each([
  ['a text', () => 'must rise'],
  ['a promise', async () => []],
  ['a promise that is rejected', () => Promise.reject(new Error('bang'))],
  ['texts', () => ['must rise']],
])('refuses %s of checkThresholds, as the start does', async (_what, checkThresholds) => {
  const thresholds = { type: 'object', properties: {} };
  const provider = aLocalProvider('own', { thresholds, checkThresholds: checkThresholds as never });
  expect(await faultsOf(provider)).toContainEqual([
    'answers as expected: jane.doe@example.com',
    'cannot prepare: checkThresholds must answer a list of { path, message }',
  ]);
});

it('reports a fault of the thresholds that checkThresholds finds, and whose it is', async () => {
  const thresholds = { type: 'object', properties: {} };
  const checkThresholds = () => [{ path: ['steps', 1], message: 'must be above 4' }];
  expect(await faultsOf(aLocalProvider('own', { thresholds, checkThresholds }))).toContainEqual([
    'answers as expected: jane.doe@example.com',
    'cannot prepare: thresholds: steps.1 must be above 4',
  ]);
});

describe('the options of a provider', () => {
  const withOptions = (options: object) =>
    faultsOf(aLocalProvider('own', { options: { type: 'object', properties: options } }));

  it.each([
    [{ days: { type: 'integer' } }, 'there is no keyword "days": what can be set stands under properties'],
    [{ type: 'array', items: {} }, 'its type must be object: what can be set stands under properties'],
  ])('are a schema of the options that can be set: %o', async (options, says) => {
    expect(await faultsOf(aLocalProvider('own', { options }))).toContainEqual([
      'options and thresholds are JSON Schemas whose defaults are valid',
      `options is no JSON Schema: ${says}`,
    ]);
    const sound = {
      $defs: {},
      'x-own': {},
      properties: {},
      required: [],
      dependentRequired: {},
      examples: [],
    };
    expect(await faultsOf(aLocalProvider('own', { options: sound }))).toEqual([]);
  });

  it('may have no default where the operator must set them', async () => {
    expect(await withOptions({ url: { type: 'string', description: 'Where.' } })).toEqual([]);
  });

  it('have defaults that match their schema', async () => {
    expect(
      await withOptions({ days: { type: 'integer', default: '7', description: 'How long.' } }),
    ).toContainEqual([
      'options and thresholds are JSON Schemas whose defaults are valid',
      'options: the default of "days" must be integer',
    ]);
  });

  it('have descriptions, from which the tables of the README are made', async () => {
    expect(await withOptions({ days: { type: 'integer', default: 7 } })).toContainEqual([
      'the tables of its README can be made',
      'option "days" has no description',
    ]);
  });
});

describe('a test case', () => {
  const NO_EXPECT = 'has no expect: what is to be answered, { "fact.id": value } or unknown(reason)';
  it.each([
    [{ email: SEEN.email }, [NO_EXPECT]],
    [{ email: SEEN.email, expected: SEEN.expect }, ['has an unknown member "expected"', NO_EXPECT]],
    [{ ...SEEN, expect: true }, [NO_EXPECT]],
    [{ expect: SEEN.expect }, ['has no email']],
    [null, ['has no email', NO_EXPECT]],
    [{ ...SEEN, given: { option: { days: 1 } } }, ['has an unknown member "given.option"']],
  ])('that cannot be read is reported, in place of its test: %o', async (one, says) => {
    const cases = { cases: [SEEN, one] } as unknown as ContractCases;
    const told = says.map((fault) => `case 2 ${fault}`).join('\n');
    expect(await faultsOf(aLocalProvider('own'), cases)).toEqual([['the cases can be read', told]]);
  });

  it('with an unknown option is reported with its name', async () => {
    const cases = { cases: [{ ...SEEN, given: { options: { dayz: 1 } } }] };
    const faults = await faultsOf(aLocalProvider('own'), cases);
    expect(faults).toContainEqual([
      'answers as expected: jane.doe@example.com',
      'cannot prepare: options: must NOT have additional properties, such as "dayz"',
    ]);
  });

  it('reports the actual and the expected answer', async () => {
    const provider = aLocalProvider('own', {
      check: () => ({ facts: { 'own.seen': unknown('servfail', 'why') } }),
    });
    expect(await faultsOf(provider)).toEqual([
      ['answers as expected: jane.doe@example.com', 'own.seen is unknown: servfail (why), not true'],
      [
        'every declared fact is known in one of the cases',
        'no case has own.seen: add one whose answer is known',
      ],
    ]);
  });

  it('reports a thrown error, with its place in the code of the provider', async () => {
    const provider = aNetworkProvider('own', {
      uses: ['store'],
      check: async ({ localPart }, { store }) => {
        if (localPart === 'jane') return Promise.reject();
        if (localPart !== 'joe') await store?.set('key', 5 as never, 60);
        return { facts: { 'own.seen': true } };
      },
    });
    const of = (email: string) => ({ ...SEEN, email });
    const cases = [of('jane.doe@example.com'), of('jane@example.com'), of('joe@example.com')];
    const [ours, undefinedOne, ...others] = await faultsOf(provider, { cases });
    expect(ours?.[1]).toMatch(
      /^threw TypeError: a store keeps text alone: the value must be text at \S+\/contract-checks\.test\.ts:\d+:\d+$/,
    );
    expect(undefinedOne).toEqual(['answers as expected: jane@example.com', 'threw undefined']);
    expect(others.map(([name]) => name)).not.toContain('every declared fact is known in one of the cases');
  });

  it('may expect that all facts are unknown', async () => {
    const provider = aNetworkProvider('own', {
      uses: ['dns'],
      check: async ({ domain }, { dns, signal }) => {
        const answer = await dns?.mx(domain, signal);
        return answer?.outcome === 'found' ? { facts: { 'own.seen': true } } : unknown('servfail');
      },
    });
    const cases = {
      given: { ports: { dns: fakeDns({ 'example.com': { mx: ['mx.example.com'] } }) } },
      cases: [SEEN, { email: 'jane@other.example', expect: unknown('servfail') }],
    };
    expect(await faultsOf(provider, cases)).toEqual([]);
  });

  it('compares its evidence as a whole', async () => {
    const provider = aLocalProvider('own', {
      check: () => ({ facts: { 'own.seen': true }, evidence: { a: 1 } }),
    });
    expect(await faultsOf(provider, { cases: [{ ...SEEN, evidence: { a: 2 } }] })).toEqual([
      ['answers as expected: jane.doe@example.com', 'the evidence is {"a":1}, not {"a":2}'],
    ]);
  });

  it('cannot expect a fact that does not exist', async () => {
    expect(
      await faultsOf(aLocalProvider('own'), { cases: [{ ...SEEN, expect: { 'own.sen': true } }, SEEN] }),
    ).toEqual([
      [
        'answers as expected: jane.doe@example.com',
        'the case expects "own.sen", which is no fact of the provider',
      ],
    ]);
  });
});

describe('an external failure', () => {
  const asking = (more: Partial<Extract<SignalProvider, { stage: 'network' }>>) =>
    faultsOf(aNetworkProvider('own', { uses: ['dns'], ...more }), {
      given: { ports: { dns: fakeDns({ 'example.com': { mx: ['mx.example.com'] } }) } },
      cases: [SEEN],
    });

  it('must not be reported as an answer', async () => {
    const faults = await asking({
      check: async ({ domain }, { dns, signal }) => {
        await dns?.mx(domain, signal);
        return { facts: { 'own.seen': true } };
      },
    });
    expect(faults.map(([name]) => name)).toEqual(
      ['timeout', 'servfail', 'refused', 'malformed', 'error'].map(
        (failure) => `answers unknown, and why, where DNS fails: ${failure}`,
      ),
    );
    expect(faults[0]?.[1]).toBe(
      'all facts were known all the same: a failure is no answer, so it is unknown(reason)',
    );
  });

  it('must be tested: a provider that never sends a request in a case is reported', async () => {
    const faults = await asking({});
    expect(faults[0]?.[1]).toBe('no case makes it ask: add one that does');
  });

  it('must not be thrown', async () => {
    const faults = await asking({
      check: async ({ domain }, { dns, signal }) => {
        const answer = await dns?.mx(domain, signal);
        if (answer?.outcome !== 'found') throw new TypeError('no records');
        return { facts: { 'own.seen': true } };
      },
    });
    expect(faults[0]?.[1]).toMatch(
      /^jane\.doe@example\.com: threw TypeError: no records at \S+\/contract-checks\.test\.ts:\d+:\d+; answer unknown\(reason\) instead$/,
    );
  });
});

it('reports a provider that continues after its abort signal', async () => {
  const provider = aNetworkProvider('own', {
    uses: ['dns'],
    check: async ({ domain }, { dns }) => {
      const answer = await dns?.mx(domain, new AbortController().signal);
      return answer?.outcome === 'found' ? { facts: { 'own.seen': true } } : unknown('error');
    },
  });
  const given = { ports: { dns: fakeDns({ 'example.com': { mx: ['mx.example.com'] } }) } };
  expect(await faultsOf(provider, { given, cases: [SEEN] })).toEqual([
    [
      'comes back once the answer is not awaited any more',
      'jane.doe@example.com: still at work 1000 ms after context.signal fired; hand the signal on to all that you await',
    ],
  ]);
});

describe('a run with generated addresses', () => {
  const first = async (check: Extract<SignalProvider, { stage: 'local' }>['check'], more = {}) => {
    const faults = await faultsOf(aLocalProvider('own', { check, ...more }));
    return faults.filter(([name]) => name.includes('generated'));
  };

  it('reports the first address for which the provider throws, with seed and position to repeat it', async () => {
    const [[name, fault] = ['', '']] = await first(({ localPart }) => {
      if (localPart.startsWith('.')) throw new RangeError('a dot');
      return { facts: { 'own.seen': true } };
    });
    expect(name).toBe('never throws, and answers as declared, for 1,000 generated addresses (seed 1)');
    expect(fault.split('\n')[0]).toMatch(/^address \d+ of seed 1, " *\..*": threw RangeError: a dot at \S+$/);
  });

  it('reports an answer that does not match the declaration', async () => {
    const faults = await first(({ faults: found }) => ({
      facts: { 'own.seen': found.length > 0 ? 3 : true },
    }));
    expect(faults[0]?.[1]).toContain(
      'answered "own.seen" with a value that is not of its type: it must be true or false',
    );
  });

  it('reports a local provider that answers with a promise', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: tests a value that the compiler would refuse
    const faults = await first((async () => ({ facts: { 'own.seen': true } })) as any);
    expect(faults[0]?.[1]).toContain('answered a promise, which a local provider may not');
  });

  it('reports a provider that changes its arguments', async () => {
    const faults = await first((address) => {
      (address as { raw: string }).raw = '';
      return { facts: { 'own.seen': true } };
    });
    expect(faults[0]?.[1]).toContain('threw TypeError: Cannot assign to read only property');
  });

  it('reports evidence that quotes the address, except what is declared personal', async () => {
    const check = ({ localPart }: { localPart: string }) => ({
      facts: { 'own.seen': true },
      evidence: { name: localPart },
    });
    const faults = await first(check);
    expect(faults[0]?.[1]).toContain(
      'evidence.name quotes the address: leave it out, or declare a fact "own.name" that is personal: true',
    );
    const both = (address: { localPart: string }) => ({
      ...check(address),
      facts: { 'own.seen': true, 'own.name': unknown('not_run') },
    });
    const personal = { type: 'string', values: ['a'], example: 'a', personal: true } as const;
    expect(await first(both, { facts: [aFact('own.seen'), aFact('own.name', personal)] })).toEqual([]);
  });

  it.each([undefined, 'domain', true] as const)(
    'requires personal: true for a value that quotes the address: %s',
    async (personal) => {
      const check = ({ localPart }: { localPart: string }) => ({
        facts: { 'own.seen': true, 'own.name': localPart.slice(0, 255) },
      });
      const name = aFact('own.name', { type: 'text', example: 'a', ...(personal && { personal }) });
      const faults = await first(check, { facts: [aFact('own.seen'), name] });
      const told = 'the value of own.name quotes the address: declare the fact personal: true';
      expect(faults.map(([, fault]) => fault)).toEqual(
        personal === true ? [] : [expect.stringContaining(told)],
      );
    },
  );

  it('reports a log line and a stored text that quote the address', async () => {
    const provider = aNetworkProvider('own', {
      uses: ['log', 'store'],
      check: async ({ raw, domain }, { log, store }) => {
        log?.info({ raw }, 'asked');
        await store?.set(domain, '1', 60).catch(() => undefined);
        return { facts: { 'own.seen': true } };
      },
    });
    const [[, fault] = ['', '']] = await faultsOf(provider);
    expect(fault).toContain('a line of its log quotes the address');
    expect(fault).toContain('what it keeps in its store has the address or the domain in clear: hash it');
  });
});

it('passes the counts to the provider, 1 by default', async () => {
  const provider = defineProvider({
    ...aLocalProvider('own'),
    facts: [aFact('own.domain_1h', { type: 'integer', example: 1 })],
    counts: ({ canonical }) => [{ facts: { 'own.domain_1h': '1h' }, text: canonical.domain }],
    check: (_address, { counted }) => (counted ? { facts: counted } : unknown('not_run')),
  } as SignalProvider);
  const email = 'jane@example.com';
  const cases = [
    { email, expect: { 'own.domain_1h': 1 } },
    { email, given: { counted: { 'own.domain_1h': 9 } }, expect: { 'own.domain_1h': 9 } },
    { email, given: { counted: null }, expect: unknown('not_run') },
  ];
  expect(await faultsOf(provider, { cases })).toEqual([]);
});

it('accepts an unknown that another copy of the kit has made', () => {
  expect(isUnknown({ unknown: 'error' })).toBe(true);
  expect(isUnknown(Object.freeze({ unknown: 'timeout', detail: 'x' }))).toBe(true);
});
