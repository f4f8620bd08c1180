import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import {
  type Address,
  type Counters,
  type FactValue,
  type Findings,
  type Unknown,
  unknown,
} from '../../provider-kit/index.ts';
import type { Decision } from '../../rules/decision.ts';
import type { Signals } from '../../signals/signals.ts';
import {
  type Failure,
  FORCED_ACTIONS,
  LOOKED_UP,
  ORDINARY,
  REFUSALS,
  RETRY_AFTER_MS,
  SANDBOX_DOMAIN,
  SCENARIOS,
  SLOW,
  SLOW_MS,
} from './scenarios.ts';

/**
 * The world of test keys: the same code on fixed evidence. No packet leaves; what look-ups would tell is
 * given, and at `postern.test` the local part says what is found. No provider knows of it.
 */

/** Nobody was here before, however often one asks; nothing is counted. */
export const SANDBOX_COUNTERS: Counters = { count: () => 1 };

/** Refuses or delays where the address asks for it. */
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
  const retryAfterMs = RETRY_AFTER_MS[code];
  throw new AppError(code, retryAfterMs === undefined ? {} : { retryAfterMs });
}

/** The signals of an address where what the test world finds is given to `collectLocal`. */
export function sandboxSignals(
  address: Address,
  collectLocal: (given: Findings['facts']) => Signals,
): Signals {
  const words = scenarioOf(address)?.split('.') ?? [];
  const given: Record<string, FactValue | Unknown> = { ...LOOKED_UP, ...(words.length > 0 && ORDINARY) };
  const failures: Failure[] = [];
  for (const { facts, fails } of words.flatMap((word) => entryOf(SCENARIOS, word) ?? [])) {
    Object.assign(given, facts);
    if (!fails) continue;
    failures.push(fails);
    for (const id of fails.facts) given[id] = unknown(fails.reason);
  }
  const signals = collectLocal(given);
  // A provider that is switched off has not tried.
  const failed = failures.filter(({ facts, reason }) => facts.some((id) => signals.unknown[id] === reason));
  return { ...signals, degraded: failed.map(({ provider }) => provider).sort() };
}

/** `allow@` and `block@` have their action whatever the rules are; everything else keeps the rules' word. */
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
