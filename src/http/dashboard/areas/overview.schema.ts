import { COUNT, closed, INSTANT, listOf, nullable, record, TEXT } from '../../json-types.ts';
import { ACTION, LEVEL } from '../decision.ts';

const MICROSECONDS = nullable({ ...COUNT, description: 'µs, to two significant digits.' });

export const PERCENTILES = record('percentiles', {
  measured: { ...COUNT, description: 'Durations that these are of.' },
  p50_us: MICROSECONDS,
  p95_us: MICROSECONDS,
  p99_us: MICROSECONDS,
});

/** Only what occurred. */
export const DECISION_COUNT = record('decision_count', { action: ACTION, level: LEVEL, checks: COUNT });

export const OVERVIEW = record('overview', {
  since: INSTANT,
  until: INSTANT,
  checks: { ...COUNT, description: 'Of live keys, as everything here but `test_checks`.' },
  blocked: COUNT,
  test_checks: COUNT,
  counted_share: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    description:
      'Of the checks of this time, the share that these figures are of. Below 1 where many are counted for the first time: ask again, and more of them are.',
  },
  decisions: listOf(DECISION_COUNT),
  latency: PERCENTILES,
  bucket: { type: 'string', enum: ['hour', 'day'] },
  buckets: listOf(
    record('overview_bucket', {
      begins_at: INSTANT,
      decisions: listOf(DECISION_COUNT),
      latency: PERCENTILES,
    }),
  ),
  providers: listOf(
    record('provider_figures', {
      id: TEXT,
      timing: PERCENTILES,
      /** Without the checks that got an answer at once, kept from an earlier one. */
      anew: PERCENTILES,
      unknown: { ...COUNT, description: 'Checks in which it left a fact unknown.' },
      reasons: listOf(closed({ reason: TEXT, checks: COUNT })),
    }),
  ),
  rules: listOf(
    record('rule_figures', {
      id: TEXT,
      fires: COUNT,
      blocked: { ...COUNT, description: 'Of these, the checks that were answered BLOCK.' },
      points: { type: 'integer', description: 'In all, less what other rules absorbed.' },
      stood_aside: COUNT,
    }),
  ),
  domains: listOf(record('domain_figures', { domain: TEXT, checks: COUNT, blocked: COUNT })),
  different_domains: COUNT,
  scores: listOf(record('score_figures', { score: COUNT, allowed: COUNT, blocked: COUNT })),
});

export const USAGE = record('usage', {
  since: INSTANT,
  until: INSTANT,
  days: listOf(
    record('usage_day', {
      day: { type: 'string', format: 'date', description: 'UTC.' },
      account_id: TEXT,
      live: { ...COUNT, description: 'Checks of live keys: these use the quota.' },
      test: COUNT,
      keys: { type: 'object', description: 'By key: its checks.', additionalProperties: COUNT },
    }),
  ),
  keys: listOf(record('key_usage', { account_id: TEXT, key_id: TEXT, checks: COUNT, last_used_at: INSTANT })),
});
