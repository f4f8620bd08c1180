import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import type { Address } from '../provider-kit/index.ts';
import type { Decision } from '../rules/decision.ts';
import type { Signals } from '../signals/signals.ts';
import {
  FORCED_ACTIONS,
  LOOKED_UP,
  ORDINARY,
  REFUSALS,
  SANDBOX_DOMAIN,
  SCENARIOS,
  type Scenario,
  SLOW,
  SLOW_MS,
} from './scenarios.ts';

/**
 * The world of test keys: the same code on fixed evidence. No packet leaves; what look-ups would tell is
 * given, and at `postern.test` the local part says what is found. No provider knows of it.
 */

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
  throw new AppError(code, code === 'internal_error' ? {} : { retryAfterMs: 1_000 });
}

/** The local providers' signals, completed by what look-ups find in the test world. */
export function sandboxSignals(address: Address, local: Signals): Signals {
  const facts = { ...local.facts };
  const unknown = { ...local.unknown };
  const degraded: string[] = [];
  const know = (found: Scenario['facts'] = {}) => {
    for (const [id, value] of Object.entries(found)) {
      // No provider here declares it, so no rule can read it.
      if (!(id in facts)) continue;
      facts[id] = value;
      delete unknown[id];
    }
  };
  know(LOOKED_UP);
  const words = scenarioOf(address)?.split('.') ?? [];
  if (words.length > 0) know(ORDINARY);
  for (const { facts: found, fails } of words.flatMap((word) => entryOf(SCENARIOS, word) ?? [])) {
    know(found);
    if (!fails) continue;
    degraded.push(fails.provider);
    for (const id of fails.facts) {
      if (!(id in facts)) continue;
      facts[id] = null;
      unknown[id] = fails.reason;
    }
  }
  return { ...local, facts, unknown, degraded: degraded.sort() };
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
