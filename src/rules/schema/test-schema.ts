import type { JsonSchema } from '../../provider-kit/index.ts';
import type { CataloguedFact, FactCatalogue } from '../../signals/fact-catalogue.ts';
import { byId } from '../by-id.ts';
import { ACTIONS, LEVELS } from '../decision.ts';

const SCORE = { type: 'integer', minimum: 0, maximum: 100 } as const;
const IDS = { type: ['array', 'null'], items: { type: ['string', 'integer'] } } as const;

/** `tests/<group>.yaml`. */
export function testFileSchema({ facts }: FactCatalogue): JsonSchema {
  const sorted = [...facts.values()].sort(byId);
  return {
    type: ['array', 'null'],
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'expect'],
      anyOf: [{ required: ['facts'] }, { required: ['email'] }],
      properties: {
        name: { description: 'What the test shows.', type: 'string', pattern: '\\S' },
        email: { description: 'An address whose local signals are the facts to begin with.', type: 'string' },
        facts: {
          description: 'What matters; every other fact is ordinary. null is unknown.',
          type: 'object',
          additionalProperties: false,
          properties: Object.fromEntries(sorted.map((fact) => [fact.id, valueSchema(fact)])),
        },
        expect: EXPECTATION,
      },
    },
  };
}

const EXPECTATION: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    action: { enum: ACTIONS },
    level: { enum: LEVELS },
    score: {
      anyOf: [SCORE, { type: 'object', additionalProperties: false, properties: { min: SCORE, max: SCORE } }],
    },
    fired: { description: 'Rules that fire; absorbed and shadow ones count.', ...IDS },
    not_fired: { description: 'Rules that do not fire.', ...IDS },
  },
};

function valueSchema({
  type,
  values = [],
  description,
  never_unknown,
  disabled,
}: CataloguedFact): JsonSchema {
  const unknown = !never_unknown || disabled ? [null] : [];
  if (type === 'string') return { description, enum: [...values, ...unknown] };
  return { description, type: unknown.length > 0 ? [type, 'null'] : type };
}
