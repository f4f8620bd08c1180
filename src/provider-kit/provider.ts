import type { Address } from './address.ts';
import type { HttpDeclaration, Ports } from './ports.ts';
import type { Unknown } from './unknown.ts';

/** The value of a known fact; one that is unknown is an `Unknown`. */
export type FactValue = boolean | number | string;

/**
 * The types a fact can be declared with. `string` is a word of a closed list, its `values`. `text` is any text of 1 to 255
 * characters, compared as it stands. `domain` is a domain name as lower-case A-labels without a final dot, of 255 characters at
 * most; rules look such facts up in their named lists.
 */
export const FACT_TYPES = ['boolean', 'integer', 'number', 'string', 'text', 'domain'] as const;
export type FactType = (typeof FACT_TYPES)[number];

/** In characters (UTF-16), of a fact of type `text` or `domain`; a name has 253 (RFC 1035, 2.3.4). */
export const LONGEST_TEXT = 255;

/** The places of the fixed response that a fact can fill. */
export const SLOTS = [
  'syntax.valid_format',
  'entropy.score',
  'entropy.suspicious',
  'domain.is_known_disposable',
  'domain.is_known_free_provider',
  'domain.has_mx',
  'domain.is_catch_all',
  'domain.is_role_account',
  'domain.tld_risk_level',
] as const;
export type Slot = (typeof SLOTS)[number];

/** One fact that a provider answers. */
export interface FactDeclaration {
  /** The slot's own name when the fact fills one, else `<provider id>.<name>`. */
  readonly id: string;
  readonly type: FactType;
  /** The closed list of a `string` fact, from least to most severe where there is an order. */
  readonly values?: readonly string[];
  /** One sentence that an analyst understands. */
  readonly description: string;
  readonly example: FactValue;
  /** The response's slot that this fact fills; one provider for each slot. */
  readonly slot?: Slot;
  /**
   * The provider always answers the fact. Only rules that read such facts alone may take points away or force ALLOW. Where the provider
   * fails all the same, by a bug, the fact is unknown, and every rule that reads it stands aside, also one that takes points away.
   */
  readonly never_unknown?: boolean;
  /**
   * True: the value quotes the address, so records keep it only where addresses are stored in plain. `domain`: the value tells of the
   * canonical domain and of nothing else in the address, so records keep it wherever they have that domain.
   */
  readonly personal?: boolean | 'domain';
}

export const FACT_OPERATORS = [
  'equal',
  'notEqual',
  'in',
  'notIn',
  'lessThan',
  'lessThanInclusive',
  'greaterThan',
  'greaterThanInclusive',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
] as const;

/** A comparison as in rule files: with a value, words or another fact. */
export interface FactComparison {
  readonly fact: string;
  readonly operator: (typeof FACT_OPERATORS)[number];
  readonly value: FactValue | readonly string[] | { readonly fact: string };
}

/** A JSON Schema (draft 2020-12), as a plain object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An entry of `rules/allow.yaml` or `rules/deny.yaml` that is in force. */
export interface ListEntry {
  /** `user@x.org`, `x.org` or `.x.org` (the domain's subdomains and itself). */
  readonly value: string;
  readonly reason: string;
  readonly owner: string;
}

/** When a list has named a domain. Both are days as `YYYY-MM-DD`, UTC. */
export interface ListRecord {
  readonly firstSeen: string;
  /** The last day on which the list is known to have named it: the list's own date while it does. */
  readonly lastSeen: string;
}

/** A list of domains that was downloaded from an address in `lists.urls`, as it was last found good. */
export interface DownloadedList {
  /** snake_case; made of the list's address, so that it never changes. */
  readonly name: string;
  /** Differs where the content differs. */
  readonly version: string;
  /** The day on which its source was last seen to hold it, `YYYY-MM-DD`. */
  readonly date: string;
  /** How many domains it names. */
  readonly entries: number;
  /** How many `records` there are: the domains that the list names, and those that it named within the last year. */
  readonly size: number;
  /** Each domain once, as A-labels in lower case; in no order that means anything. */
  records(): Iterable<readonly [domain: string, record: ListRecord]>;
}

/** What is wrong with thresholds that fit their schema. */
export interface ThresholdFault {
  /** From the section down: names, and places in lists from 0. */
  readonly path: readonly (string | number)[];
  /** What the value must be, in words for an analyst: `must be above 12, the length before`. */
  readonly message: string;
}

/** What a provider may prepare itself from: at start, and again at a reload that has changed what it reads. */
export interface Setup {
  /** `providers.<id>` of the configuration, checked against `options`, defaults filled in. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The provider's section of `rules/signals.yaml`, checked against `thresholds` and by `checkThresholds`. */
  readonly thresholds: Readonly<Record<string, unknown>>;
  readonly lists: { readonly allow: readonly ListEntry[]; readonly deny: readonly ListEntry[] };
  /**
   * The lists of `lists.urls`, in that order, without those that were never downloaded. A provider that asks for them is prepared again
   * when one of them changes, while requests are served: work through long ones in slices.
   */
  readonly downloads: () => Promise<readonly DownloadedList[]>;
}

/** A list that a provider answers from, for `postern lists status`. */
export interface DataList {
  /** The name of the package, or of the file in the provider's folder. */
  readonly name: string;
  /** The version of the package. */
  readonly version?: string;
  /** The day that the list tells of, `2025-10-31`, where it says so itself. */
  readonly date?: string;
  readonly entries: number;
}

export interface Prepared<State> {
  readonly state: State;
  /** The version of the provider's data, recorded with each check; for example `disposable-domains@2.0.1`. */
  readonly source?: string;
  /** The lists that the state was made of. */
  readonly lists?: readonly DataList[];
}

/** All that `check` gets besides the address. */
export interface Context<State = undefined> extends Partial<Ports> {
  /**
   * The facts named in `needs`; null where unknown. Answer unknown for a fact that depends on an unknown one: a guess could score more
   * than the look-up's answer would have.
   */
  readonly needs: Readonly<Record<string, FactValue | null>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly thresholds: Readonly<Record<string, unknown>>;
  /** The `state` that `prepare` returned. */
  readonly state: State;
  /** Fires when the answer is no longer awaited. */
  readonly signal: AbortSignal;
  /**
   * By fact, how many of the account's checks were counted as `counts` says, this check included: 1 or more. Absent where
   * nothing is counted, as in `postern check`: answer `not_run` for the facts that show a number.
   */
  readonly counted?: Readonly<Record<string, number>>;
}

/**
 * How far back a count looks. A window moves on in steps of a twelfth of the count's shortest window: `1h` sees the last 55 to 60 minutes,
 * `24h` alone the last 22 to 24 hours, and `30d` beside `24h` the last 30 days less two hours at most.
 */
export const COUNT_WINDOWS = ['1h', '24h', '7d', '30d'] as const;
export type CountWindow = (typeof COUNT_WINDOWS)[number];

/** Something that a check is counted under. */
export interface Count {
  /** What is counted; only a keyed hash of the text is kept. */
  readonly text: string;
  /** The ids of the provider's facts that show this count, each with its window. Counts of one text with other ids are counted apart. */
  readonly facts: Readonly<Record<string, CountWindow>>;
  /** Where given, the count is of the different values of this text among the checks, 100 at most, in place of the checks. */
  readonly distinct?: string;
}

/** The facts that were found out, each a value or unknown, and what supports them. */
export interface Findings {
  readonly facts: Readonly<Record<string, FactValue | Unknown>>;
  /** Plain JSON of at most 4,096 characters that explains the facts to a person: host names, list names, codes. */
  readonly evidence?: Readonly<Record<string, unknown>> | undefined;
  /** How long the findings hold, if known: cached no longer, nor than `cache.knownSeconds`. Without it, `not_run` is cached as unknown. */
  readonly ttlSeconds?: number | undefined;
}

/** Findings, or one `Unknown` for all the provider's facts. */
export type Answer = Findings | Unknown;

interface ProviderBase<State> {
  /** snake_case; its folder is the id with `-` for `_`. */
  readonly id: string;
  readonly apiVersion: 1;
  /** One sentence for `providers list`. */
  readonly description: string;
  readonly facts: readonly FactDeclaration[];
  /**
   * Comparisons that never hold together, whatever the address, options and thresholds. Lint reports tests of rules that state
   * such facts all the same.
   */
  readonly never?: readonly (readonly FactComparison[])[];
  /** JSON Schema of `providers.<id>` in the configuration, with defaults; mark secrets with `"secret": true`. */
  readonly options?: JsonSchema;
  /** JSON Schema of the section `<id>` of `rules/signals.yaml`, with defaults. */
  readonly thresholds?: JsonSchema;
  /**
   * Checks what the schema cannot say, such as an order: returns the faults of a section that fits the schema, defaults filled in. Lint
   * reports them with their lines; `prepare` is not given thresholds with a fault.
   */
  readonly checkThresholds?: (thresholds: Readonly<Record<string, unknown>>) => readonly ThresholdFault[];
  /**
   * Facts of other providers that `check` reads. `check` is called once each of them is known or known to be unknown. A local provider
   * that needs a look-up's fact is asked after that look-up, and none of its facts can be `never_unknown`.
   */
  readonly needs?: readonly string[];
  /** The ports that `check` is given. */
  readonly uses?: readonly (keyof Ports)[];
  /** For a network provider that uses `http`: which origins it asks, and how much at once. */
  readonly http?: HttpDeclaration;
  /** Loads data and builds look-up tables; a throw stops the start with its message. */
  readonly prepare?: (setup: Setup) => Prepared<State> | Promise<Prepared<State>>;
}

/** Answers at once, from memory. Must not wait for anything. */
export interface LocalProvider<State = undefined> extends ProviderBase<State> {
  readonly stage: 'local';
  /**
   * Under what the service counts the checks that it answers, within the account and environment of this check: 16 counts at most.
   * The host counts for all providers in one call, when every other fact is there or known to be unknown, and then asks
   * `check`, with the numbers in `context.counted`. A check that is refused after all counts nothing, and the same typed
   * address from the same key within ten minutes counts once. Where counting fails the host answers `unknown: error`.
   */
  readonly counts?: (address: Address, context: Context<State>) => readonly Count[];
  readonly check: (address: Address, context: Context<State>) => Answer;
}

/** Asks another service. Runs beside the other network providers under the check's deadline. */
export interface NetworkProvider<State = undefined> extends ProviderBase<State> {
  readonly stage: 'network';
  /** Milliseconds after which the host answers `unknown: timeout`; the check's deadline unless told, and never later in a check. */
  readonly timeoutMs?: number;
  /** The host caches answers by `domain` or by `canonical.address`: known ones for `knownSeconds`, unknown ones for `unknownSeconds`. */
  readonly cache?: {
    readonly by: 'domain' | 'address';
    readonly knownSeconds: number;
    readonly unknownSeconds: number;
  };
  readonly check: (address: Address, context: Context<State>) => Promise<Answer>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of providers mixes states that only each provider itself reads
export type SignalProvider<State = any> = LocalProvider<State> | NetworkProvider<State>;

/** Declares a provider; the identity function that gives a plain object its types. */
export function defineProvider<State = undefined>(provider: SignalProvider<State>): SignalProvider<State> {
  return provider;
}
