import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { requireAddress } from '../../src/checks/assessor.ts';
import type { Metrics } from '../../src/observability/metrics.ts';
import type { Address, Answer, FactDeclaration } from '../../src/provider-kit/index.ts';
import { providerLog } from '../../src/signals/provider-ports.ts';
import { aCollector, aFact, aLocalProvider, aNetworkProvider } from '../support/providers.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  vi.advanceTimersByTime(1);
});
afterEach(() => vi.useRealTimers());

/** Texts that quote an address; each is searched for in every line of the log. */
const QUOTES: Readonly<Record<string, (address: Address) => string>> = {
  'as submitted': ({ raw }) => raw,
  'the local part': ({ localPart }) => localPart,
  'in lower case': ({ raw }) => raw.toLowerCase(),
  'in capitals': ({ raw }) => raw.toUpperCase(),
  'percent-encoded': ({ raw }) => [...Buffer.from(raw)].map((octet) => `%${octet.toString(16)}`).join(''),
  'in Base64': ({ raw }) => Buffer.from(raw).toString('base64'),
  'in hexadecimal digits': ({ raw }) => Buffer.from(raw).toString('hex'),
  'as JSON escapes': ({ raw }) => [...raw].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join(''),
  backwards: ({ raw }) => [...raw].reverse().join(''),
};

class Named extends Error {
  constructor(text: string) {
    super('it fails');
    this.name = text;
    Object.assign(this, { code: text, [text]: text });
  }
}

const throwing = (value: unknown) => (): never => {
  throw value;
};
const evil = (text: string) => ({ get: throwing(new Error(text)), enumerable: true });

/** The failures by name; `text` quotes the address. */
const THROWN: Readonly<Record<string, (text: string) => unknown>> = {
  'an error': (text) => new Error(`no mailbox ${text}`),
  'an error of several lines, made to look like a trace': (text) =>
    new TypeError(`x\n    at ask (/${text}:1:2)\n    at file:///${text}:3:4`),
  'an error with a cause': (text) => new RangeError('it fails', { cause: new Error(text) }),
  'several errors in one': (text) => new AggregateError([new Error(text)], text),
  'an error with a trace of its own': (text) =>
    Object.assign(new Error('it fails'), { stack: `Error\n    at ${text}\n    at f (/srv/${text}:1:1)` }),
  'an error with a name and a code of its own': (text) => new Named(text),
  'a text': (text) => text,
  'an object': (text) => ({ message: text, stack: text, name: text, code: text, [text]: text }),
  nothing: () => undefined,
  null: () => null,
  'a symbol': (text) => Symbol(text),
  'an object without a prototype': (text) => Object.assign(Object.create(null), { text }),
  'an error that cannot be read': (text) =>
    Object.defineProperties(new Error(text), {
      message: evil(text),
      stack: evil(text),
      name: evil(text),
      cause: evil(text),
      code: evil(text),
    }),
  'a proxy that refuses everything': (text) =>
    new Proxy(new Error(text), { get: throwing(text), getPrototypeOf: throwing(text), has: throwing(text) }),
};

/** Invalid answers for the declared fact `odd.seen`. */
const ANSWERED: Readonly<Record<string, (text: string) => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  'a text': (text) => text,
  'a function': () => () => true,
  'facts of another type': (text) => ({ facts: { 'odd.seen': text } }),
  'facts of another name': (text) => ({ facts: { [text]: true, [`odd.${text}`]: true } }),
  'a fact that it does not declare beside one of another type': (text) => ({
    facts: { 'odd.seen': text, [`odd.${text}`]: true },
  }),
  'unknown for a reason of its own': (text) => ({ unknown: text, detail: 5 }),
  'a fact that is unknown for a reason of its own': (text) => ({ facts: { 'odd.seen': { unknown: text } } }),
  'an answer that throws as it is read': (text) => Object.defineProperty({}, 'facts', evil(text)),
  'a fact that throws as it is read': (text) => ({
    facts: Object.defineProperty({}, 'odd.seen', evil(text)),
  }),
  'a reason that throws as it is read': (text) => Object.defineProperty({}, 'unknown', evil(text)),
  'a proxy that refuses everything': (text) =>
    new Proxy({}, { get: throwing(text), ownKeys: throwing(text) }),
  'something to wait for that throws': (text) => Object.defineProperty({}, 'then', evil(text)),
};

type Fail = (text: string) => unknown;
const failures: readonly (readonly [string, Fail])[] = [
  ...Object.entries(THROWN).map(
    ([what, make]) => [`throws ${what}`, (text: string) => throwing(make(text))()] as const,
  ),
  ...Object.entries(THROWN).map(
    ([what, make]) => [`rejects with ${what}`, (text: string) => Promise.reject(make(text))] as const,
  ),
  ...Object.entries(ANSWERED).map(([what, make]) => [`answers ${what}`, make] as const),
  ['writes into the address', () => undefined],
  ['never settles', () => new Promise(() => undefined)],
];

const FACTS: Readonly<Record<string, Partial<FactDeclaration>>> = {
  'a fact that may be unknown': {},
  'a fact that is never unknown': { never_unknown: true },
};

const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
/** Long enough not to occur in a line by chance. */
const localParts = fc.array(letters, { minLength: 12, maxLength: 20 }).map((each) => each.join(''));

/** Collects with one provider that fails and one that does not; returns the findings with the counted metrics and the log. */
async function collectWith(
  address: Address,
  stage: 'local' | 'network' | 'kept',
  fact: FactDeclaration,
  fail: () => unknown,
) {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
  const counted: unknown[] = [];
  const metrics: Metrics = {
    count: (name: string, labels: object) => counted.push({ name, ...labels }),
    took: () => undefined,
    set: () => undefined,
  } as never;
  // A compiler would refuse these, but plain JavaScript allows them.
  const check = fail as () => never;
  const life = { by: 'address', knownSeconds: 60, unknownSeconds: 60 } as const;
  const odd =
    stage === 'local'
      ? aLocalProvider('odd', { facts: [fact], check })
      : aNetworkProvider('odd', { facts: [fact], check, ...(stage === 'kept' && { cache: life }) });
  const logFor = (provider: string) => providerLog(log, provider, true);
  const { collect } = await aCollector([odd, aLocalProvider('good')], { ports: { logFor }, metrics });
  const collecting = collect(address);
  await vi.advanceTimersByTimeAsync(500);
  return { signals: await collecting, lines, counted };
}

function expectDegraded(
  { signals, lines, counted }: Awaited<ReturnType<typeof collectWith>>,
  reason: string,
): void {
  expect(signals.facts).toEqual({ 'odd.seen': null, 'good.seen': true });
  expect(signals.unknown).toEqual({ 'odd.seen': reason });
  expect(signals.degraded).toEqual(['odd']);
  const name = 'postern_provider_answers_total';
  expect(counted).toContainEqual({ name, provider: 'odd', outcome: reason });
  expect(counted).toContainEqual({ name, provider: 'good', outcome: 'known' });
  const faults = counted.filter((one) => Object(one).name === 'postern_provider_faults_total');
  expect(faults.every((one) => Object(one).provider === 'odd')).toBe(true);
  if (reason === 'error') expect(faults).not.toEqual([]);
  if (reason === 'error')
    expect(new Set(lines.map((line) => JSON.parse(line).provider))).toEqual(new Set(['odd']));
}

describe.each(Object.entries(FACTS))('%s', (_what, more) => {
  // A start refuses a network provider with a never unknown fact; the collector must handle it all the same.
  const fact = aFact('odd.seen', more);
  it.each(failures)('is unknown, degraded, counted and logged, where the provider %s', async (how, fail) => {
    await fc.assert(
      fc.asyncProperty(
        localParts,
        fc.constantFrom('local', 'network', 'kept' as const),
        fc.constantFrom(...Object.values(QUOTES)),
        async (localPart, stage, quote) => {
          const address = requireAddress(`${localPart}@example.com`);
          const isWriting = how === 'writes into the address';
          const found = await collectWith(address, stage as 'local', fact, () =>
            isWriting ? Object.assign(address, { raw: 'other' }) : fail(quote(address)),
          );
          const isLate = how === 'never settles' && stage !== 'local';
          expectDegraded(found, isLate ? 'timeout' : 'error');
          const told = [...found.lines, JSON.stringify(found.signals)].join('\n');
          for (const [, quoteAs] of Object.entries(QUOTES)) {
            expect(told.toLowerCase()).not.toContain(quoteAs(address).toLowerCase());
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});

it('a never unknown fact that is missing in an answer is unknown; the others are kept', async () => {
  const facts = [
    aFact('odd.seen', { never_unknown: true }),
    aFact('odd.level', { type: 'string', values: ['low', 'high'], never_unknown: true, example: 'low' }),
  ];
  const check = () => ({ facts: { 'odd.seen': true } });
  const { collect } = await aCollector([aLocalProvider('odd', { facts, check })]);
  expect(await collect(requireAddress('jane@example.com'))).toMatchObject({
    facts: { 'odd.seen': true, 'odd.level': null },
    unknown: { 'odd.level': 'error' },
    degraded: ['odd'],
  });
});

it('a failure is logged with its place in the code, and the code of the system', async () => {
  const { lines } = await collectWith(
    requireAddress('jane@example.com'),
    'network',
    aFact('odd.seen'),
    () => {
      const cause = Object.assign(new Error('connect to jane'), { code: 'ECONNREFUSED' });
      throw new TypeError('fetch failed for jane@example.com', { cause });
    },
  );
  const { err, msg } = JSON.parse(lines[0] ?? '');
  expect(msg).toBe('provider failed');
  expect(err).toEqual({ type: 'TypeError', code: 'ECONNREFUSED', at: expect.any(Array) });
  expect(err.at[0]).toMatch(/failing-providers\.test\.ts:\d+:\d+$/);
});

it('any thrown value is logged, also undefined', async () => {
  for (const [fail, says] of [
    [() => Promise.reject(), 'undefined'],
    [() => Promise.reject(null), 'null'],
  ] as const) {
    const { lines } = await collectWith(
      requireAddress('jane@example.com'),
      'network',
      aFact('odd.seen'),
      fail,
    );
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([`provider failed: it threw ${says}`]);
  }
});

it('a log line of a provider has its id, its level and its time, whatever the provider passes', () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
  providerLog(log, 'odd', true).warn(
    { provider: 'gmail', level: 'high', time: 'noon', msg: 'x', a: 1 },
    'full',
  );
  const [line = ''] = lines;
  expect(JSON.parse(line)).toEqual({
    level: 40,
    time: expect.any(Number),
    provider: 'odd',
    _provider: 'gmail',
    _level: 'high',
    _time: 'noon',
    _msg: 'x',
    a: 1,
    msg: 'full',
  });
});

it('an answer is copied once: later changes by the provider have no effect', async () => {
  const evidence = { list: ['one'] };
  const facts: Record<string, boolean> = { 'odd.seen': true };
  const check = async (): Promise<Answer> => ({ facts, evidence });
  const cache = { by: 'domain', knownSeconds: 60, unknownSeconds: 60 } as const;
  const { collect } = await aCollector([aNetworkProvider('odd', { cache, check })]);
  const first = await collect(requireAddress('jane@example.com'));
  evidence.list.push('two');
  facts['odd.seen'] = false;
  expect(first.evidence).toEqual({ odd: { list: ['one'] } });
  expect(await collect(requireAddress('joe@example.com'))).toMatchObject({
    facts: { 'odd.seen': true },
    evidence: { odd: { list: ['one'] } },
  });
});

it.each([
  ['600', true],
  [NaN, true],
  [-1, true],
  [new Date(0), true],
  [0, false],
  [null, false],
])(
  'an answer with %s as ttlSeconds is used, and not cached where that is invalid',
  async (ttlSeconds, isTold) => {
    const address = requireAddress('jane@example.com');
    const answer = { facts: { 'odd.seen': true }, ttlSeconds };
    const { signals, lines, counted } = await collectWith(
      address,
      'kept',
      aFact('odd.seen'),
      async () => answer,
    );
    expect(signals).toMatchObject({ facts: { 'odd.seen': true }, degraded: [] });
    const says =
      'provider breaks its declaration: answered a ttlSeconds that is no number from 0 up, so it is not kept';
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(isTold ? [says] : []);
    const told = { name: 'postern_provider_faults_total', provider: 'odd', fault: 'breach' };
    expect(counted.filter((one) => Object(one).fault)).toEqual(isTold ? [told] : []);
  },
);

describe('an undeclared fact', () => {
  it.each([
    [['other'], 'answered 1 fact that it does not declare'],
    [['other', 'more'], 'answered 2 facts that it does not declare'],
  ])('is left out and logged, and declared facts are kept', async (more, breach) => {
    const address = requireAddress('jane@example.com');
    const facts = Object.fromEntries(more.map((name) => [`odd.${name}`, 'jane@example.com']));
    const { signals, lines, counted } = await collectWith(address, 'local', aFact('odd.seen'), () => ({
      facts: { 'odd.seen': true, ...facts },
    }));
    expect(signals).toMatchObject({ facts: { 'odd.seen': true, 'good.seen': true }, degraded: [] });
    expect(Object.keys(signals.facts)).toEqual(['odd.seen', 'good.seen']);
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([`provider breaks its declaration: ${breach}`]);
    expect(counted).toContainEqual({
      name: 'postern_provider_faults_total',
      provider: 'odd',
      fault: 'breach',
    });
  });
});

describe('a provider that counts', () => {
  const counting = (counts: () => unknown) =>
    aLocalProvider('odd', {
      counts: counts as () => never,
      check: (_address, { counted }) => ({ facts: { 'odd.seen': (counted?.['odd.seen'] ?? 0) > 0 } }),
    });
  it.each([
    ...failures.filter(([how]) => !/writes|settles|unknown|fact/.test(how)),
    [
      'answers a count of its own facts that throws',
      (text: string) => [Object.defineProperty({}, 'text', evil(text))],
    ],
    ['answers a count of another fact', (text: string) => [{ text, facts: { [text]: '1h' } }]],
  ] as [string, Fail][])('is unknown, counted and logged, where it %s', async (how, fail) => {
    const address = requireAddress('Jane.Q.Public@example.com');
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
    const count = vi.fn();
    const { collector, prepared } = await aCollector(
      [counting(() => fail(address.raw)), aLocalProvider('good')],
      {
        ports: { logFor: (provider) => providerLog(log, provider, true) },
        metrics: { count, took: () => undefined, set: () => undefined },
      },
    );
    const signals = await collector.collect(address, prepared, async () => ({}));
    const isNothing = how === 'answers nothing' || how === 'answers null';
    expect(signals).toMatchObject({
      facts: { 'good.seen': true, 'odd.seen': isNothing ? false : null },
      degraded: isNothing ? [] : ['odd'],
    });
    const faults = count.mock.calls.filter(([name]) => name === 'postern_provider_faults_total');
    expect(faults).toHaveLength(isNothing ? 0 : 1);
    expect(lines).toHaveLength(isNothing ? 0 : 1);
    expect(lines.join().toLowerCase()).not.toContain('jane');
  });
});

it('a provider cannot change any part of the address, however it is asked', async () => {
  const given: Address[] = [];
  const check = (address: Address) => {
    given.push(address);
    return { facts: { 'looking.seen': true } };
  };
  const { collector, prepared } = await aCollector([aLocalProvider('looking', { check })]);
  const read = () => requireAddress('Jane.Doe+x@gmail.com');
  await collector.collect(read(), prepared);
  await collector.watch(read(), prepared, () => undefined);
  await collector.collectLocal(read(), prepared);
  const open: string[] = [];
  const look = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return;
    if (!Object.isFrozen(value)) open.push(path);
    for (const [name, part] of Object.entries(value)) look(part, `${path}.${name}`);
  };
  for (const [way, address] of given.entries()) look(address, `${way}`);
  expect(given.map(({ canonical }) => canonical.changes.length > 0)).toEqual([true, true, true]);
  expect(open).toEqual([]);
});
