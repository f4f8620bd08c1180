import type { FactDeclaration, JsonSchema } from '../provider-kit/index.ts';

/** A declared fact and the provider that answers it. */
export interface CataloguedFact extends FactDeclaration {
  readonly provider: string;
}

/** What rules may read: every fact of every enabled provider, by id, and what rules/signals.yaml may hold. */
export interface FactCatalogue {
  readonly facts: ReadonlyMap<string, CataloguedFact>;
  /** By provider: the JSON Schema of its section of `rules/signals.yaml`. */
  readonly thresholdSchemas: ReadonlyMap<string, JsonSchema>;
}
