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
      description: 'Each part that must work.',
      type: 'object',
      additionalProperties: { type: 'string', enum: ['ok', 'failing'] },
    },
    reasons: {
      description: 'Why, for each part that is failing; for who holds `metrics.token`.',
      type: 'object',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['status', 'states'],
  additionalProperties: false,
};
