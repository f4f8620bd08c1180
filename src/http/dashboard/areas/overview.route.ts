import { INSIGHTS } from '../../../insights/insights-queries.ts';
import { CLOCK } from '../../../lib/time.ts';
import { COUNT, closed, INSTANT, listOf, nullable, record, TEXT } from '../../json-types.ts';
import { ACTION, LEVEL } from '../decision.ts';
import { areaOf, overAll } from '../endpoint.ts';
import { RANGE_QUERY, readRange } from '../time-range.ts';

const MICROSECONDS = nullable({ ...COUNT, description: 'µs, to two significant digits.' });

const PERCENTILES = record('percentiles', {
  measured: { ...COUNT, description: 'Durations that these are of.' },
  p50_us: MICROSECONDS,
  p95_us: MICROSECONDS,
  p99_us: MICROSECONDS,
});

/** Only combinations that occurred. */
const DECISION_COUNT = record('decision_count', { action: ACTION, level: LEVEL, checks: COUNT });

const COUNTED_SHARE = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  description:
    'Of the checks of this time, the share that these figures are of. Below 1 where hours are still being counted, the newest first: ask again, and more of them are.',
} as const;

const OVERVIEW = record('overview', {
  since: INSTANT,
  until: INSTANT,
  checks: { ...COUNT, description: 'Of live keys, as everything here but `test_checks`.' },
  blocked: COUNT,
  test_checks: COUNT,
  counted_share: COUNTED_SHARE,
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
      /** Without the checks that got a cached answer, in 0 µs. */
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

const USAGE = record('usage', {
  since: INSTANT,
  until: INSTANT,
  counted_share: COUNTED_SHARE,
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

const { define, area } = areaOf('overview', 'Figures of what is on record.', {
  insights: INSIGHTS,
  clock: CLOCK,
});
const OF_ACCOUNT = {
  access: { account: 'viewer' },
  query: closed(RANGE_QUERY, ['since', 'until']),
  refusals: ['busy'],
} as const;

const overview = define('GET /accounts/{account_id}/overview', {
  ...OF_ACCOUNT,
  summary: 'What the checks of an account came to.',
  answer: { description: 'The figures.', schema: OVERVIEW },
  async handle({ insights, clock }, { params, query, asking }) {
    const ask = { accountId: params.account_id, ...readRange(query, clock.now()) };
    return insights.ask('overview', ask, asking);
  },
});

const usage = define('GET /accounts/{account_id}/usage', {
  ...OF_ACCOUNT,
  summary: 'How often an account has asked, by day and by key.',
  description:
    'As far as the checks are on record: `retention.days`, and the erasure of a person, take theirs out of it.',
  answer: { description: 'By day and by key.', schema: USAGE },
  async handle({ insights, clock }, { params, query, asking }) {
    const range = readRange(query, clock.now());
    return { ...range, ...(await insights.ask('usage', { accountId: params.account_id, ...range }, asking)) };
  },
});

export const OVERVIEW_AREA = area({
  show_overview: overview,
  show_whole_overview: overAll(overview, 'What the checks of all accounts came to.'),
  show_usage: usage,
  show_whole_usage: overAll(usage, 'How often each account has asked, by day and by key.'),
});
