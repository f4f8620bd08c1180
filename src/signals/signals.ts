import type {
  FactComparison,
  FactDeclaration,
  FactValue,
  JsonSchema,
  SignalProvider,
  Slot,
  UnknownReason,
} from '../provider-kit/index.ts';

/** All that was found out about one address. */
export interface Signals {
  /** Every fact of the catalogue by id, those of disabled providers too; null where unknown. */
  readonly facts: Readonly<Record<string, FactValue | null>>;
  /** Why each null is null. */
  readonly unknown: Readonly<Record<string, UnknownReason>>;
  /** By provider; plain JSON. */
  readonly evidence: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** By provider, in microseconds. */
  readonly timingsUs: Readonly<Record<string, number>>;
  /** By provider, the version of its data. */
  readonly sources: Readonly<Record<string, string>>;
  /** Sorted ids of the providers that tried and failed. */
  readonly degraded: readonly string[];
}

/** The result of a provider in one check: `known` where every fact is, else the reason of the first failure, else `not_run`. */
export type Outcome = 'known' | UnknownReason;

/**
 * What can go wrong in the code of a provider.
 *
 * - `failed`: it threw or rejected; `breach`: it answered against its declaration
 * - `left_behind`: a promise or a callback of its own failed, outside of an answer
 * - `held_up`: it ran for long without a pause, and all requests waited for it
 */
export const PROVIDER_FAULTS = ['failed', 'breach', 'left_behind', 'held_up'] as const;
export type ProviderFault = (typeof PROVIDER_FAULTS)[number];

/** A declared fact and the provider that answers it. */
export interface CataloguedFact extends FactDeclaration {
  readonly provider: string;
  /** Its provider is built in and switched off: rules may name the fact, and it is never known. */
  readonly disabled?: true;
}

/** What rules may read: every fact of every provider, by id. */
export type CataloguedFacts = ReadonlyMap<string, CataloguedFact>;

/** What rules may read, and what rules/signals.yaml may hold. */
export interface FactCatalogue {
  readonly facts: CataloguedFacts;
  /** By provider: what its section of `rules/signals.yaml` may hold. */
  readonly thresholds: ReadonlyMap<string, DeclaredThresholds>;
  /** Comparisons that never hold together. */
  readonly never?: readonly (readonly FactComparison[])[];
}

export interface DeclaredThresholds {
  readonly schema: JsonSchema;
  /** Finds the faults of a section that fits the schema. */
  readonly check: SignalProvider['checkThresholds'];
}

/** What a slot shows when its provider is disabled or its fact unknown. */
export const NEUTRAL: Readonly<Record<Slot, FactValue>> = {
  'syntax.valid_format': false,
  'entropy.score': 0,
  'entropy.suspicious': false,
  'domain.is_known_disposable': false,
  'domain.is_known_free_provider': false,
  'domain.has_mx': false,
  'domain.is_catch_all': false,
  'domain.is_role_account': false,
  'domain.tld_risk_level': 'low',
};

const TLD_RISK_LEVELS = ['low', 'medium', 'high'];

/** Why a fact cannot fill the slot it claims; undefined when it can. */
export function slotMismatch(fact: FactDeclaration, slot: Slot): string | undefined {
  if (fact.id !== slot) return `fills the slot "${slot}", so its id must be "${slot}"`;
  const type = typeof NEUTRAL[slot];
  if (type !== 'string') return fact.type === type ? undefined : `must be of type ${type}`;
  if (fact.values?.join() === TLD_RISK_LEVELS.join()) return undefined;
  return `must be a string with the values ${TLD_RISK_LEVELS.join(', ')}`;
}
