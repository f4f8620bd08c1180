import {
  type FactDeclaration,
  type LocalProvider,
  type NetworkProvider,
  type SignalProvider,
  SLOTS,
} from '../provider-kit/index.ts';
import { fits } from './read-answer.ts';
import { slotMismatch } from './signals.ts';

const ID = /^[a-z][a-z0-9_]*$/;
const FACT_ID = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;
/** Facts that the engine provides itself. */
const RESERVED = ['risk_score', 'threshold'];
const STAGES = ['local', 'network'];
const TYPES = ['boolean', 'integer', 'number', 'string'];
const PORTS = ['dns', 'smtp', 'store', 'clock', 'log'];
const KEYS = new Set([
  'id',
  'apiVersion',
  'description',
  'facts',
  'options',
  'thresholds',
  'checkThresholds',
  'needs',
  'uses',
  'prepare',
  'stage',
  'timeoutMs',
  'cache',
  'counts',
  'check',
]);
const FACT_KEYS = new Set([
  'id',
  'type',
  'values',
  'description',
  'example',
  'slot',
  'never_unknown',
  'personal',
]);

/** Every fault of one declaration, as sentences; nothing of it has been run. */
export function checkProvider(candidate: unknown): readonly string[] {
  if (typeof candidate !== 'object' || candidate === null) {
    return ['has no default export made by defineProvider({ … })'];
  }
  // Read through Partial: a plugin may be plain JavaScript that no compiler has seen.
  const provider = candidate as Partial<SignalProvider>;
  const faults: string[] = [];
  for (const key of Object.keys(provider)) if (!KEYS.has(key)) faults.push(`unknown member "${key}"`);
  if (typeof provider.id !== 'string' || !ID.test(provider.id)) faults.push('id must be snake_case');
  if (provider.apiVersion !== 1) faults.push('apiVersion must be 1');
  if (!provider.description) faults.push('description is missing');
  if (!STAGES.includes(provider.stage as string)) faults.push('stage must be "local" or "network"');
  if (typeof provider.check !== 'function') faults.push('check must be a function');
  if (!isTexts(provider.uses ?? [])) faults.push('uses must be a list of ports');
  else {
    for (const port of provider.uses ?? []) {
      if (!PORTS.includes(port)) faults.push(`uses an unknown port "${port}"; there are ${PORTS.join(', ')}`);
    }
  }
  faults.push(...checkCounting(provider));
  if (!isTexts(provider.needs ?? [])) faults.push('needs must be a list of fact ids');
  if (provider.prepare !== undefined && typeof provider.prepare !== 'function') {
    faults.push('prepare must be a function');
  }
  if (provider.checkThresholds !== undefined && typeof provider.checkThresholds !== 'function') {
    faults.push('checkThresholds must be a function');
  }
  faults.push(...checkLife(provider));
  if (!Array.isArray(provider.facts) || provider.facts.length === 0)
    faults.push('facts must name at least one fact');
  else for (const fact of provider.facts) faults.push(...checkFact(fact, provider));
  return faults;
}

/** Times that a timer or a cache cannot use would be read as 1 ms, or as nothing at all. */
function checkLife(provider: Partial<SignalProvider>): string[] {
  // Each stage is typed with its own, and what is declared has not been checked yet.
  const { timeoutMs, cache } = provider as Partial<NetworkProvider>;
  const faults: string[] = [];
  if (timeoutMs !== undefined && !(Number.isSafeInteger(timeoutMs) && timeoutMs > 0)) {
    faults.push('timeoutMs must be a whole number above 0');
  }
  if (cache === undefined) return faults;
  if (provider.stage === 'local') faults.push('has a cache, so its stage must be "network"');
  if (cache?.by !== 'domain' && cache?.by !== 'address')
    faults.push('cache.by must be "domain" or "address"');
  for (const key of ['knownSeconds', 'unknownSeconds'] as const) {
    const seconds = cache?.[key];
    if (!Number.isFinite(seconds) || Number(seconds) < 0) faults.push(`cache.${key} must be 0 or more`);
  }
  return faults;
}

/** A count belongs to one check, and in commands nothing is counted. */
function checkCounting(provider: Partial<SignalProvider>): string[] {
  const { counts, stage, facts } = provider as Partial<LocalProvider> & { readonly stage?: string };
  if (counts === undefined) return [];
  const faults: string[] = [];
  if (typeof counts !== 'function') faults.push('counts must be a function');
  if (stage !== 'local') faults.push('has counts, so its stage must be "local"');
  if (Array.isArray(facts) && facts.some((fact) => fact?.never_unknown)) {
    faults.push('has counts, so that none of its facts is never_unknown: `postern check` counts nothing');
  }
  return faults;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function checkFact(fact: FactDeclaration, provider: Partial<SignalProvider>): string[] {
  if (typeof fact !== 'object' || fact === null) return ['facts must be objects with an id'];
  const faults: string[] = [];
  const fault = (text: string) => faults.push(`fact "${fact.id}" ${text}`);
  for (const key of Object.keys(fact)) if (!FACT_KEYS.has(key)) fault(`has an unknown member "${key}"`);
  if (typeof fact.id !== 'string' || !FACT_ID.test(fact.id)) fault('must have an id like "mx.outcome"');
  else if (RESERVED.includes(fact.id.split('.')[0] ?? '')) fault('uses a reserved name');
  else if (fact.slot === undefined && SLOTS.some((slot) => slot === fact.id)) {
    // The response would show it all the same, whatever its type.
    fault(`has the name of a slot, so it must say slot: "${fact.id}"`);
  } else if (fact.slot === undefined && !fact.id.startsWith(`${provider.id}.`)) {
    fault(`fills no slot, so its id must begin with "${provider.id}."`);
  }
  if (fact.never_unknown && provider.stage === 'network') {
    fault('cannot be never_unknown: a network provider can always run out of time');
  }
  if (!TYPES.includes(fact.type)) fault(`must have a type of ${TYPES.join(', ')}`);
  else if (fact.type === 'string' && !fact.values?.length) fault('is a string and must list its values');
  else if (!fits(fact.example, fact)) fault('has an example that is not of its type');
  if (!fact.description) fault('has no description');
  if (fact.slot !== undefined) {
    const mismatch = SLOTS.includes(fact.slot)
      ? slotMismatch(fact, fact.slot)
      : `claims the unknown slot "${fact.slot}"; there are ${SLOTS.join(', ')}`;
    if (mismatch) fault(mismatch);
  }
  return faults;
}
