import type { JsonSchema } from '../../provider-kit/index.ts';

/** The answer of GET /healthz. */
export const HEALTH: JsonSchema = {
  type: 'object',
  properties: { status: { type: 'string', enum: ['ok'] } },
  required: ['status'],
  additionalProperties: false,
};

/** The answer of GET /readyz, whichever its status is. */
export const READINESS: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['ready', 'not_ready'] },
    states: {
      description: 'Each part: it works, checks do without it, or traffic should go elsewhere.',
      type: 'object',
      additionalProperties: { type: 'string', enum: ['ok', 'degraded', 'failing'] },
    },
    reasons: {
      description: 'Why, for each part that is not ok; for who holds `metrics.token`.',
      type: 'object',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['status', 'states'],
  additionalProperties: false,
};
