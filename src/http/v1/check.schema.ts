import type { JsonSchema } from '../../provider-kit/index.ts';
import { closed, FLAG, SCORE, TEXT } from '../json-types.ts';

const LEVEL = { type: 'string', enum: ['low', 'medium', 'high'] } as const;

/** The answer of POST /v1/, written from the specification. No configuration and no provider changes it. */
export const CHECK_RESPONSE: JsonSchema = closed({
  id: { type: 'string', pattern: '^chk_[0-9A-HJKMNP-TV-Z]{26}$' },
  created_at: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' },
  summary: closed({
    action: { type: 'string', enum: ['ALLOW', 'BLOCK'] },
    risk_score: SCORE,
    risk_level: LEVEL,
  }),
  normalized: closed({
    raw: TEXT,
    canonical: { type: 'string', minLength: 3 },
    local_part: { type: 'string', minLength: 1 },
    domain: { type: 'string', minLength: 1 },
    subaddress: { type: ['string', 'null'] },
    has_dots_removed: FLAG,
  }),
  signals: closed({
    syntax: closed({ valid_format: FLAG }),
    entropy: closed({ score: { type: 'number', minimum: 0 }, suspicious: FLAG }),
    domain: closed({
      is_known_disposable: FLAG,
      is_known_free_provider: FLAG,
      has_mx: FLAG,
      is_catch_all: FLAG,
      is_role_account: FLAG,
      tld_risk_level: LEVEL,
    }),
  }),
});
