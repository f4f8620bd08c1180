import { setTimeout as wait } from 'node:timers/promises';
import { AppError, type ErrorCode } from '../errors.ts';
import {
  type Address,
  type FactValue,
  type Findings,
  type Unknown,
  type UnknownReason,
  unknown,
} from '../provider-kit/index.ts';
import type { Action, Decision } from '../rules/decision.ts';
import type { CountAll } from '../signals/signal-collector.ts';
import type { Signals } from '../signals/signals.ts';

/** The domain whose local parts are scenarios. `.test` is never delegated (RFC 6761 6.2). */
export const SANDBOX_DOMAIN = 'postern.test';

/** What look-ups find in the test world: every domain takes mail and none is a catch-all. */
const LOOKED_UP: Readonly<Record<string, FactValue>> = {
  'domain.has_mx': true,
  'mx.outcome': 'mx',
  'mx.provider': 'other',
  'domain.is_catch_all': false,
};

/** What local providers find at the sandbox's domain before any word is read: an ordinary address. */
const ORDINARY: Readonly<Record<string, FactValue>> = {
  'syntax.valid_format': true,
  'entropy.suspicious': false,
  'domain.is_known_disposable': false,
  'domain.is_known_free_provider': false,
  'domain.is_role_account': false,
  'domain.tld_risk_level': 'low',
};

interface Scenario {
  /** For docs/api.md. */
  readonly description: string;
  readonly facts?: Readonly<Record<string, FactValue>>;
  readonly fails?: Failure;
}

interface Failure {
  readonly provider: string;
  readonly facts: readonly string[];
  readonly reason: UnknownReason;
}

/** A local part at the sandbox's domain is these words, joined by dots. The rules in force decide. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  clean: { description: 'nothing to say against it' },
  disposable: { description: 'a throw-away mail service', facts: { 'domain.is_known_disposable': true } },
  free: { description: 'a free mail provider', facts: { 'domain.is_known_free_provider': true } },
  role: { description: 'a role account', facts: { 'domain.is_role_account': true } },
  suspicious: { description: 'a suspicious local part', facts: { 'entropy.suspicious': true } },
  unclean: { description: 'an unclean form', facts: { 'syntax.valid_format': false } },
  no_mx: {
    description: 'a domain that does not exist',
    facts: { 'domain.has_mx': false, 'mx.outcome': 'nxdomain', 'mx.provider': 'none' },
  },
  catch_all: { description: 'a domain that accepts any local part', facts: { 'domain.is_catch_all': true } },
  tld_medium: { description: 'a TLD of medium risk', facts: { 'domain.tld_risk_level': 'medium' } },
  tld_high: { description: 'a TLD of high risk', facts: { 'domain.tld_risk_level': 'high' } },
  unknown_mx: {
    description: 'DNS did not answer in time',
    fails: { provider: 'mx', facts: ['domain.has_mx', 'mx.outcome', 'mx.provider'], reason: 'timeout' },
  },
  unknown_catch_all: {
    description: 'the catch-all probe did not answer in time',
    fails: { provider: 'catch_all', facts: ['domain.is_catch_all'], reason: 'timeout' },
  },
};

/** Local parts that force the action, whatever the rules are. */
export const FORCED_ACTIONS: Readonly<Record<string, Action>> = { allow: 'ALLOW', block: 'BLOCK' };

export const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  error_422: 'unparseable_email',
  error_rate: 'rate_limited',
  error_quota: 'quota_exhausted',
  error_500: 'internal_error',
  error_503: 'unavailable',
};

/** For `Retry-After`: a second; for the quota a day, which is longer than a client may wait. */
const RETRY_AFTER_MS: Partial<Record<ErrorCode, number>> = {
  rate_limited: 1_000,
  quota_exhausted: 86_400_000,
  unavailable: 1_000,
};

/** This local part answers after `SLOW_MS`, longer than the second that docs/api.md tells a client to wait. */
export const SLOW = 'slow';
export const SLOW_MS = 3_000;

/** Nothing is counted: every check looks like the first. */
export const countInSandbox: CountAll = async (counts) =>
  Object.fromEntries(counts.flatMap(({ facts }) => Object.keys(facts).map((id) => [id, 1])));

/**
 * Waits, or throws an AppError, as the local part at `postern.test` asks. The world of test keys runs the same code on fixed evidence: no
 * packet leaves, the facts of look-ups are given, and no provider knows of the sandbox.
 */
export async function enterSandbox(address: Address): Promise<void> {
  const localPart = scenarioOf(address);
  if (localPart === undefined) return;
  if (localPart === SLOW) await wait(SLOW_MS);
  const code = entryOf(REFUSALS, localPart);
  if (code === undefined) return;
  if (code === 'unparseable_email') {
    throw new AppError(code, {
      details: [{ fault: 'empty', position: 0, message: 'This test address is refused as unparseable.' }],
    });
  }
  throw new AppError(code, { retryAfterMs: RETRY_AFTER_MS[code] });
}

/** The signals of an address in the test world, whose facts are given to `collectLocal`. */
export async function sandboxSignals(
  address: Address,
  collectLocal: (given: Findings['facts']) => Promise<Signals>,
): Promise<Signals> {
  const words = scenarioOf(address)?.split('.') ?? [];
  const given: Record<string, FactValue | Unknown> = { ...LOOKED_UP, ...(words.length > 0 && ORDINARY) };
  const failures: Failure[] = [];
  for (const { facts, fails } of words.flatMap((word) => entryOf(SCENARIOS, word) ?? [])) {
    Object.assign(given, facts);
    if (!fails) continue;
    failures.push(fails);
    for (const id of fails.facts) given[id] = unknown(fails.reason);
  }
  const signals = await collectLocal(given);
  // A provider that is switched off did not fail.
  const failed = failures.filter(({ facts, reason }) => facts.some((id) => signals.unknown[id] === reason));
  const degraded = new Set([...signals.degraded, ...failed.map(({ provider }) => provider)]);
  return { ...signals, degraded: [...degraded].sort() };
}

/** `allow@` and `block@` force their action; for every other address the rules' action stands. */
export function sandboxDecision(address: Address, decision: Decision): Decision {
  const action = entryOf(FORCED_ACTIONS, scenarioOf(address) ?? '');
  if (action === undefined) return decision;
  const ledger = decision.ledger.map((entry) => (entry.kind === 'action' ? { ...entry, action } : entry));
  return {
    ...decision,
    action,
    ledger: [{ kind: 'force', points: 0, id: 'sandbox', action, saw: {} }, ...ledger],
  };
}

/** The local part, tag cut, at the sandbox's domain; undefined elsewhere. */
function scenarioOf({ canonical }: Address): string | undefined {
  return canonical.domain === SANDBOX_DOMAIN ? canonical.localPart : undefined;
}

/** Own entries only: a local part can be a word that every object has, such as `constructor`. */
function entryOf<Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
