import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Check } from '../../checks/check-record.ts';
import type { FactValue, JsonSchema, Slot } from '../../provider-kit/index.ts';
import { presentOutcome } from '../../rules/decision.ts';
import { NEUTRAL } from '../../signals/signals.ts';
import { closed, FLAG, misfit, SCORE, TEXT } from '../json-types.ts';

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

// A test validates the schema itself; validating it here would make each start 30 ms and more longer.
const isValid = new Ajv2020({ allowUnionTypes: true, validateSchema: false }).compile(CHECK_RESPONSE);

/** The parts of a check that the body shows. */
export type Answered = Pick<Check, 'id' | 'createdAt' | 'address' | 'signals' | 'decision'>;

/** The body of the answer. Throws where the body does not fit the schema: that is a bug, and a wrong answer must not leave. */
export function presentCheck(check: Answered): string {
  const { id, createdAt, signals } = check;
  const slot = (name: Slot): FactValue => signals.facts[name] ?? NEUTRAL[name];
  const body = {
    id,
    created_at: createdAt,
    ...presentOutcome(check),
    signals: {
      syntax: { valid_format: slot('syntax.valid_format') },
      entropy: { score: slot('entropy.score'), suspicious: slot('entropy.suspicious') },
      domain: {
        is_known_disposable: slot('domain.is_known_disposable'),
        is_known_free_provider: slot('domain.is_known_free_provider'),
        has_mx: slot('domain.has_mx'),
        is_catch_all: slot('domain.is_catch_all'),
        is_role_account: slot('domain.is_role_account'),
        tld_risk_level: slot('domain.tld_risk_level'),
      },
    },
  };
  if (!isValid(body)) throw misfit(`the response of ${id}`, isValid.errors);
  return JSON.stringify(body);
}
