import type { JsonSchema } from '../../provider-kit/index.ts';

const closed = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const LEVEL = { type: 'string', enum: ['low', 'medium', 'high'] };
const BOOLEAN = { type: 'boolean' };

/** What POST /v1/ reads. Other members are ignored; the guard is `readEmail`, and a test holds the two together. */
export const CHECK_REQUEST: JsonSchema = {
  type: 'object',
  properties: { email: { type: 'string' } },
  required: ['email'],
};

/** The answer of POST /v1/, written from the specification. No configuration and no provider changes it. */
export const CHECK_RESPONSE: JsonSchema = closed({
  id: { type: 'string', pattern: '^chk_[0-9A-HJKMNP-TV-Z]{26}$' },
  created_at: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' },
  summary: closed({
    action: { type: 'string', enum: ['ALLOW', 'BLOCK'] },
    risk_score: { type: 'integer', minimum: 0, maximum: 100 },
    risk_level: LEVEL,
  }),
  normalized: closed({
    raw: { type: 'string' },
    canonical: { type: 'string', minLength: 3 },
    local_part: { type: 'string', minLength: 1 },
    domain: { type: 'string', minLength: 1 },
    subaddress: { type: ['string', 'null'] },
    has_dots_removed: BOOLEAN,
  }),
  signals: closed({
    syntax: closed({ valid_format: BOOLEAN }),
    entropy: closed({ score: { type: 'number', minimum: 0 }, suspicious: BOOLEAN }),
    domain: closed({
      is_known_disposable: BOOLEAN,
      is_known_free_provider: BOOLEAN,
      has_mx: BOOLEAN,
      is_catch_all: BOOLEAN,
      is_role_account: BOOLEAN,
      tld_risk_level: LEVEL,
    }),
  }),
});
