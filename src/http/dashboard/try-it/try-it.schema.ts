import { DECISION, FACT_VALUE, FACTS, REASONS } from '../decision.schema.ts';
import { closed, listOf, named, nullable, TEXT } from '../json-types.ts';

const US = { type: 'integer', minimum: 0 } as const;
const JSON_OBJECT = { type: 'object' } as const;

const TRIABLE_FACT = named(
  'triable_fact',
  closed({
    id: TEXT,
    provider: TEXT,
    description: TEXT,
    type: { type: 'string', enum: ['boolean', 'integer', 'number', 'string'] },
    values: { ...listOf(TEXT), description: 'What a string may be; empty for other types.' },
    can_be_unknown: { type: 'boolean' },
    is_disabled: { type: 'boolean', description: 'Its provider is switched off: it is always unknown.' },
  }),
);

/** What can be tried, and with what. */
export const BENCH = closed({
  facts: listOf(TRIABLE_FACT),
  deadline_ms: { type: 'integer', description: 'After this, what has not answered is unknown.' },
});

const BEGUN = closed({
  event: { const: 'begun' },
  email: TEXT,
  canonical: TEXT,
  deadline_ms: { type: 'integer' },
  providers: listOf(
    closed({ id: TEXT, stage: { type: 'string', enum: ['local', 'network'] }, description: TEXT }),
  ),
});

const ANSWER = closed({
  event: { const: 'answer' },
  provider: TEXT,
  outcome: { ...TEXT, description: '`known`, or the first reason why something is not.' },
  facts: FACTS,
  unknown: REASONS,
  evidence: nullable(JSON_OBJECT),
  took_us: { ...US, description: '0 where the answer was kept from an earlier check.' },
  at_us: { ...US, description: 'When it was there, since the trial began.' },
});

const SO_FAR = closed({ event: { const: 'so_far' }, decision: DECISION, at_us: US });

const DECIDED = closed({
  event: { const: 'decided' },
  decision: DECISION,
  facts: FACTS,
  unknown: REASONS,
  degraded: listOf(TEXT),
  at_us: US,
  response: { ...JSON_OBJECT, description: 'What `POST /v1/` would have answered.' },
});

export const TRIAL_EVENT = named('trial_event', { anyOf: [BEGUN, ANSWER, SO_FAR, DECIDED] });

export const TRIED_FACTS = closed({
  facts: {
    type: 'object',
    description: 'By id; null is unknown, and so is what is left out.',
    additionalProperties: FACT_VALUE,
  },
});
