import type { FactValue } from '../provider-kit/index.ts';
import type { CataloguedFact, FactCatalogue } from '../signals/fact-catalogue.ts';

/** Where the harmless value is not `false`, `0` or the first word of the list. */
const HARMLESS: Readonly<Record<string, FactValue>> = {
  'syntax.valid_format': true,
  'domain.has_mx': true,
};

/** The facts of an address that nobody would look at twice: what a rule test takes for all it leaves out. */
export function ordinaryFacts({ facts }: FactCatalogue): Record<string, FactValue> {
  return Object.fromEntries([...facts.values()].map((fact) => [fact.id, harmlessValue(fact)]));
}

function harmlessValue({ id, type, values }: CataloguedFact): FactValue {
  const own = HARMLESS[id];
  if (own !== undefined) return own;
  if (type === 'boolean') return false;
  return type === 'string' ? (values?.[0] ?? '') : 0;
}
