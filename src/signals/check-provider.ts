import { formats } from '../lib/json-schema.ts';
import {
  FACT_OPERATORS,
  FACT_TYPES,
  type FactDeclaration,
  type LocalProvider,
  type NetworkProvider,
  type SignalProvider,
  SLOTS,
} from '../provider-kit/index.ts';
import { EXPECTED, fits } from './read-answer.ts';
import { slotMismatch } from './signals.ts';

export const PROVIDER_ID = /^[a-z][a-z0-9_]*$/;
const FACT_ID = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;
/** Prefixes of what rules read beside the facts of providers; no fact may begin with one. */
export const RESERVED: readonly string[] = ['risk_score', 'threshold', 'list', 'rollout'];
/** Keys of `providers.` in the configuration: no section of a provider can have their names. */
export const SETTINGS: readonly string[] = ['enabled', 'paths', 'packages', 'private_origins'];
const PORTS = ['dns', 'smtp', 'http', 'store', 'clock', 'log'];
/** Ports that send packets. A local provider cannot have one: it also runs with test keys and offline. */
const OUTWARD_PORTS = ['dns', 'smtp', 'http'];
/** The longest time that a timer of Node can have; a longer one would fire after 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** By member: whether its value is sound (undefined where left out), and the fault as a sentence. A plugin may be plain JavaScript. */
type Members = Readonly<Record<string, readonly [isSound: (value: unknown) => boolean, says: string]>>;

const isNothing = (value: unknown) => value === undefined || value === null;
const isFunction = (value: unknown) => typeof value === 'function';
const isFilled = (value: unknown) => typeof value === 'string' && value !== '';
const isOneOf = (words: readonly unknown[]) => (value: unknown) => words.includes(value);
const isListOf = (isSound: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isSound);
const orLeftOut = (isSound: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || isSound(value);
/** Plain JavaScript may set a member to null in place of leaving it out. */
const orNothing = (isSound: (value: unknown) => boolean) => (value: unknown) =>
  isNothing(value) || isSound(value);
const isText = (value: unknown) => typeof value === 'string';
const isWholeFrom =
  (least: number, most = Infinity) =>
  (value: unknown) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;

const PROVIDER: Members = {
  id: [(value) => isText(value) && PROVIDER_ID.test(String(value)), 'id must be snake_case'],
  apiVersion: [isOneOf([1]), 'apiVersion must be 1'],
  description: [isFilled, 'description is missing'],
  stage: [isOneOf(['local', 'network']), 'stage must be "local" or "network"'],
  check: [isFunction, 'check must be a function'],
  uses: [orLeftOut(isListOf(isText)), 'uses must be a list of ports'],
  needs: [orLeftOut(isListOf(isText)), 'needs must be a list of fact ids'],
  counts: [orLeftOut(isFunction), 'counts must be a function'],
  prepare: [orLeftOut(isFunction), 'prepare must be a function'],
  checkThresholds: [orLeftOut(isFunction), 'checkThresholds must be a function'],
  never: [
    orLeftOut(isListOf((together) => isListOf(isComparison)(together) && (together as []).length > 0)),
    'never must be a list of lists of comparisons { fact, operator, value }',
  ],
  // Times that a timer or a cache cannot use would be read as 1 ms, or as nothing at all.
  timeoutMs: [
    orLeftOut(isWholeFrom(1, LONGEST_TIMER_MS)),
    `timeoutMs must be a whole number from 1 to ${LONGEST_TIMER_MS}`,
  ],
  facts: [(value) => Array.isArray(value) && value.length > 0, 'facts must name at least one fact'],
};
/** Members that are looked at elsewhere. */
const OTHERS_OF_PROVIDER = ['cache', 'http', 'options', 'thresholds'];
const METHODS = ['check', 'counts', 'prepare', 'checkThresholds'];

/** Members that are read once and copied as data: a getter of a plugin's could throw later, or answer otherwise. */
export const DATA = [...Object.keys(PROVIDER), ...OTHERS_OF_PROVIDER].filter(
  (name) => !METHODS.includes(name),
);

const isSeconds = (value: unknown) => Number.isFinite(value) && Number(value) >= 0;

const CACHE: Members = {
  by: [isOneOf(['domain', 'address']), 'cache.by must be "domain" or "address"'],
  knownSeconds: [isSeconds, 'cache.knownSeconds must be 0 or more'],
  unknownSeconds: [isSeconds, 'cache.unknownSeconds must be 0 or more'],
};

const HTTP: Members = {
  origins: [
    (value) => Array.isArray(value) && value.length > 0 && value.every(isOrigin),
    'http.origins must be a list of origins such as "https://api.example.com", or of { option: "url" }',
  ],
  concurrency: [orLeftOut(isWholeFrom(1, 64)), 'http.concurrency must be a whole number from 1 to 64'],
  maxBytes: [orLeftOut(isWholeFrom(1, 4_194_304)), 'http.maxBytes must be a whole number from 1 to 4194304'],
};

const FACT: Members = {
  id: [(value) => isText(value) && FACT_ID.test(String(value)), 'must have an id like "mx.outcome"'],
  type: [isOneOf(FACT_TYPES), `must have a type of ${FACT_TYPES.join(', ')}`],
  description: [isFilled, 'has no description'],
  personal: [isOneOf([undefined, null, false, true, 'domain']), 'must be personal: true, false or "domain"'],
  values: [orNothing(isListOf(isText)), 'must have values that are a list of words'],
  never_unknown: [orNothing(isOneOf([true, false])), 'must be never_unknown: true or false'],
};
const OTHERS_OF_FACT = ['example', 'slot'];

/** A declaration as it came: any member may be anything. */
type Candidate = { readonly [Member in keyof LocalProvider | keyof NetworkProvider]?: unknown };

/** Every fault of one declaration, as sentences. Runs none of its methods. */
export function checkProvider(candidate: unknown): readonly string[] {
  if (typeof candidate !== 'object' || candidate === null) {
    return ['has no default export made by defineProvider({ … })'];
  }
  const { cache, counts, facts, id, needs, stage, timeoutMs, uses }: Candidate = candidate;
  const faults = [
    ...unknownMembers(candidate, PROVIDER, OTHERS_OF_PROVIDER),
    ...unsound(candidate, PROVIDER),
    ...DATA.filter((name) => !isData(Reflect.get(candidate, name))).map(
      (name) => `${name} must be plain data, without functions: it is copied`,
    ),
  ];
  if (SETTINGS.includes(String(id)))
    faults.push(`id "${id}" is a key of the configuration, providers.${id}: choose another id`);
  const ports = Array.isArray(uses) ? uses.filter(isText) : [];
  for (const port of ports.filter((name) => !PORTS.includes(name)))
    faults.push(`uses an unknown port "${port}"; there are ${PORTS.join(', ')}`);
  const outward = ports.filter((port) => OUTWARD_PORTS.includes(port));
  if (stage === 'local' && outward.length > 0)
    faults.push(`uses ${outward.join(', ')}, so its stage must be "network"`);
  faults.push(...checkHttp(candidate, ports));
  const declared = Array.isArray(facts) ? facts : [];
  const ids = declared.map((fact) => fact?.id);
  for (const own of new Set(ids.filter((id, at) => isText(id) && ids.indexOf(id) < at)))
    faults.push(`fact "${own}" is declared twice`);
  for (const need of Array.isArray(needs) ? needs.filter((id) => isText(id) && ids.includes(id)) : [])
    faults.push(`needs the fact "${need}", which is its own`);
  if (counts !== undefined) {
    if (stage !== 'local') faults.push('has counts, so its stage must be "local"');
    if (declared.some((fact) => fact?.never_unknown)) {
      faults.push('has counts, so that none of its facts is never_unknown: `postern check` counts nothing');
    }
  }
  if (stage === 'local' && !isNothing(timeoutMs))
    faults.push('has a timeoutMs, so its stage must be "network"');
  if (!isNothing(cache)) {
    if (stage === 'local') faults.push('has a cache, so its stage must be "network"');
    faults.push(
      ...unknownMembers(cache, CACHE).map((fault) => `cache has an ${fault}`),
      ...unsound(cache, CACHE),
    );
  }
  return [...faults, ...declared.flatMap((fact) => checkFact(fact, candidate))];
}

function checkHttp(candidate: Partial<SignalProvider>, ports: readonly string[]): readonly string[] {
  const { http = null, options } = candidate;
  if (http === null)
    return ports.includes('http') ? ['uses http, so it must say http: { origins: [ … ] }'] : [];
  const faults = [
    ...unknownMembers(http, HTTP).map((fault) => `http has an ${fault}`),
    ...unsound(http, HTTP),
  ];
  if (!ports.includes('http')) faults.push('declares http, so it must name "http" in uses');
  if (faults.length > 0) return faults;
  const declared = Object(options?.properties);
  return http.origins.flatMap((entry) =>
    typeof entry === 'string' || Object.hasOwn(declared, entry.option)
      ? []
      : [`http.origins names the option "${entry.option}", which its options do not declare`],
  );
}

function isData(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

function isOrigin(entry: unknown): boolean {
  if (isText(entry)) return formats['https-origin']?.check(String(entry)) === true;
  return isFilled((entry as { option?: unknown } | null)?.option);
}

/** The origins that a provider may ask, in the form of `URL.origin`. Throws where an option holds no `https:` URL. */
export function originsOf(
  declared: NonNullable<SignalProvider['http']>['origins'],
  options: Readonly<Record<string, unknown>>,
): ReadonlySet<string> {
  const origins = declared.flatMap((entry) => {
    if (typeof entry === 'string') return [new URL(entry).origin];
    const value = options[entry.option] ?? null;
    if (value === null) return [];
    const url = URL.parse(String(value));
    if (url?.protocol !== 'https:') throw new Error(`its option ${entry.option} is no https: URL`);
    return [url.origin];
  });
  return new Set(origins);
}

function unsound(candidate: object, members: Members): string[] {
  const values = candidate as Readonly<Record<string, unknown>>;
  return Object.entries(members).flatMap(([key, [isSound, says]]) => (isSound(values[key]) ? [] : [says]));
}

function unknownMembers(candidate: object, members: Members, others: readonly string[] = []): string[] {
  const known = [...Object.keys(members), ...others];
  // A text or a list has its places as keys.
  const isRecord = typeof candidate === 'object' && !Array.isArray(candidate);
  const keys = isRecord ? Object.keys(candidate).filter((key) => !known.includes(key)) : [];
  return keys.map((key) => `unknown member "${key}"`);
}

function isComparison(candidate: unknown): boolean {
  const { fact, operator, value } = (candidate ?? {}) as Readonly<Record<string, unknown>>;
  return isText(fact) && isOneOf(FACT_OPERATORS)(operator) && value !== undefined;
}

function checkFact(fact: FactDeclaration, { id, stage }: Partial<SignalProvider>): readonly string[] {
  if (typeof fact !== 'object' || fact === null) return ['facts must be objects with an id'];
  const unsoundly = unsound(fact, FACT);
  const unknown = unknownMembers(fact, FACT, OTHERS_OF_FACT).map((fault) => `has an ${fault}`);
  const faults = [...unknown, ...unsoundly];
  const fault = (text: string) => faults.push(text);
  if (unsoundly.length > 0) return faults.map((text) => `fact "${fact.id}" ${text}`);
  const [first = ''] = fact.id.split('.');
  if (RESERVED.includes(first)) fault(`begins with "${first}.", which is reserved`);
  else if (fact.slot === undefined && SLOTS.some((slot) => slot === fact.id)) {
    // Without `slot`, the response would show the fact in the slot all the same, whatever its type.
    fault(`has the name of a slot, so it must say slot: "${fact.id}"`);
  } else if (fact.slot === undefined && !fact.id.startsWith(`${id}.`)) {
    fault(`fills no slot, so its id must begin with "${id}."`);
  }
  if (fact.never_unknown && stage === 'network') {
    fault('cannot be never_unknown: a network provider can always run out of time');
  }
  if (fact.type === 'string' && !fact.values?.length) fault('is a string and must list its values');
  else if (fact.type !== 'string' && !isNothing(fact.values)) {
    fault(`lists values, so its type must be string, not ${fact.type}`);
  } else if (!fits(fact.example, fact)) {
    fault(`has an example that is not of its type: it must be ${EXPECTED[fact.type]}`);
  }
  if (fact.slot !== undefined) {
    const mismatch = SLOTS.includes(fact.slot)
      ? slotMismatch(fact, fact.slot)
      : `claims the unknown slot "${fact.slot}"; there are ${SLOTS.join(', ')}`;
    if (mismatch) fault(mismatch);
  }
  return faults.map((text) => `fact "${fact.id}" ${text}`);
}
