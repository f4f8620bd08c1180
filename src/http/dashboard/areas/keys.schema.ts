import { ENVIRONMENTS } from '../../../accounts/key.ts';
import { COUNT, closed, INSTANT, listOf, nullable, record, TEXT, words } from '../../json-types.ts';

export const KEY = record('api_key', {
  id: TEXT,
  name: nullable(TEXT),
  environment: { type: 'string', enum: ENVIRONMENTS },
  prefix: { type: 'string', description: 'The first characters of the secret; the rest is not stored.' },
  created_at: INSTANT,
  state: {
    type: 'string',
    enum: ['active', 'ending', 'ended', 'revoked'],
    description: '`ending`: another key takes its place; until `expires_at` both work.',
  },
  revoked_at: nullable(INSTANT),
  expires_at: nullable(INSTANT),
  replaced_by: nullable(TEXT),
  seen_in_clear_at: nullable(
    INSTANT,
    'When it last came over plain HTTP, where it could be read on the way: rotate it.',
  ),
});

const SECRET = { type: 'string', description: 'Shown this once: it is not stored.' } as const;

export const KEYS = closed({ keys: listOf(KEY) });
export const ISSUED_KEY = record('issued_key', { key: KEY, secret: SECRET });
export const ROTATED_KEY = record('rotated_key', { key: KEY, secret: SECRET, previous: KEY });

export const NEW_KEY = closed({
  environment: { type: 'string', enum: ENVIRONMENTS },
  name: { ...words(60), description: 'To tell it from other keys.' },
});

export const ROTATION = closed({
  grace_seconds: {
    type: 'integer',
    minimum: 0,
    maximum: 30 * 86_400,
    description: 'For so long the old secret still works.',
  },
});

export const LIMITS = record('limits', {
  month: { type: 'string', description: 'UTC: `2026-11`.' },
  month_ends_at: INSTANT,
  checks_per_month: nullable(COUNT, 'Null where there is no quota.'),
  used: { ...COUNT, description: 'Answered live checks of this month, whether still on record or not.' },
  rate_limit: {
    description: 'Of a key and those that replaced it.',
    ...closed({ requests: COUNT, window_seconds: COUNT }),
  },
});
