import { byId } from '../lib/text.ts';
import type { FactValue } from '../provider-kit/index.ts';
import { EXPECTED, fits } from '../signals/read-answer.ts';
import type { CataloguedFact, FactCatalogue } from '../signals/signals.ts';
import { operatorsFor } from './operators.ts';

/** Every fact that rules may read, sorted by id, as `rules facts` shows it: with the keys of its JSON. */
export function describeFacts({ facts }: FactCatalogue) {
  return [...facts.values()]
    .map((fact) => ({
      id: fact.id,
      type: fact.type,
      values: fact.values ?? [],
      operators: operatorsFor(fact.type),
      description: fact.description,
      example: fact.example,
      provider: fact.provider,
      never_unknown: fact.never_unknown === true,
      personal: fact.personal === true,
      // Its provider is switched off: it is unknown in every check.
      disabled: fact.disabled === true,
      // The field of the response that the fact fills.
      slot: fact.slot ?? null,
    }))
    .toSorted(byId);
}

/** Facts whose harmless value is not `false`, `0` or the first word of their list. */
const HARMLESS: Readonly<Record<string, FactValue>> = {
  'syntax.valid_format': true,
  'domain.has_mx': true,
};

/** The facts of an ordinary address: a rule test has these values for every fact that it does not state. */
export function ordinaryFacts({ facts }: FactCatalogue): Record<string, FactValue> {
  return Object.fromEntries([...facts.values()].map((fact) => [fact.id, harmlessValue(fact)]));
}

function harmlessValue({ id, type, values, example }: CataloguedFact): FactValue {
  // Open text has no list whose first word is harmless: take the provider's example.
  const ofText = { string: values?.[0] ?? '', text: example, domain: example };
  return HARMLESS[id] ?? { boolean: false, integer: 0, number: 0, ...ofText }[type];
}

type Domain = Pick<CataloguedFact, 'id' | 'type' | 'values' | 'never_unknown' | 'disabled'>;

/** Whether the fact is unknown in some checks. */
export function canBeUnknown({ never_unknown, disabled }: Omit<Domain, 'id'>): boolean {
  return disabled === true || never_unknown !== true;
}

/** Whether the fact can have the value; null is unknown. */
export function isValueOf(fact: Domain, value: unknown): value is FactValue | null {
  return value === null ? canBeUnknown(fact) : fits(value, fact);
}

/** Which values the fact can have, for messages. */
export function describeMisfit(fact: Domain): string {
  const { id, type, values = [] } = fact;
  const expected = type === 'string' ? `one of ${values.join(', ')}` : EXPECTED[type];
  return `${id} is ${expected}${canBeUnknown(fact) ? ', or null where it is unknown' : '; it is never unknown'}`;
}
