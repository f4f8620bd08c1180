import type { FactDeclaration, JsonSchema } from '../provider-kit/index.ts';

/** A declared fact and the provider that answers it. */
export interface CataloguedFact extends FactDeclaration {
  readonly provider: string;
  /** Its provider is built in and switched off: rules may name the fact, and it is never known. */
  readonly disabled?: true;
}

/** What rules may read: every fact of every provider, by id, and what rules/signals.yaml may hold. */
export interface FactCatalogue {
  readonly facts: ReadonlyMap<string, CataloguedFact>;
  /** By provider: the JSON Schema of its section of `rules/signals.yaml`. */
  readonly thresholdSchemas: ReadonlyMap<string, JsonSchema>;
}
