import type { FactDeclaration, JsonSchema, SignalProvider } from '../provider-kit/index.ts';

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
}

export interface DeclaredThresholds {
  readonly schema: JsonSchema;
  /** Of a section that fits the schema. */
  readonly check: SignalProvider['checkThresholds'];
}
