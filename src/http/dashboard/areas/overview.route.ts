import { inject, injectable } from '../../../di.ts';
import { INSIGHTS, type InsightsQueries } from '../../../insights/insights-queries.ts';
import type { Decisions, Overview } from '../../../insights/overview.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import type { Clock } from '../../../provider-kit/index.ts';
import { ACTIONS, LEVELS } from '../../../rules/decision.ts';
import { COUNT, closed, INSTANT, listOf, nullable, record, TEXT } from '../../json-types.ts';
import { type AskedRange, askerOf, RANGE_QUERY, type Reader, readRange } from '../ask-insights.ts';
import { ACTION, LEVEL } from '../decision.ts';
import { defineArea, endpointsWith } from '../endpoint.ts';

const MICROSECONDS = nullable({ ...COUNT, description: 'µs, to two significant digits.' });

const PERCENTILES = record('percentiles', {
  measured: { ...COUNT, description: 'Durations that these are of.' },
  p50_us: MICROSECONDS,
  p95_us: MICROSECONDS,
  p99_us: MICROSECONDS,
});

/** Only what occurred. */
const DECISION_COUNT = record('decision_count', { action: ACTION, level: LEVEL, checks: COUNT });

const OVERVIEW = record('overview', {
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

const USAGE = record('usage', {
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

@injectable()
export class OverviewServices {
  constructor(
    @inject(INSIGHTS) readonly insights: InsightsQueries,
    @inject(CLOCK) readonly clock: Clock,
  ) {}
}

/** The account is that of the path; figures are of all accounts where it names none. */
interface RangeRequest extends Reader {
  readonly query: AskedRange;
  readonly params: { readonly account_id?: string };
}

async function showOverview({ insights, clock }: OverviewServices, asked: RangeRequest) {
  const ask = { accountId: asked.params.account_id, ...readRange(asked.query, clock.now()) };
  return presentOverview(await insights.ask('overview', ask, askerOf(asked)));
}

async function showUsage({ insights, clock }: OverviewServices, asked: RangeRequest) {
  const range = readRange(asked.query, clock.now());
  const ask = { accountId: asked.params.account_id, ...range };
  return { ...range, ...(await insights.ask('usage', ask, askerOf(asked))) };
}

const define = endpointsWith<OverviewServices>();
const RANGE = closed(RANGE_QUERY, ['since', 'until']);
const OF_OVERVIEW = {
  answer: { description: 'The figures.', schema: OVERVIEW },
  handle: showOverview,
} as const;
const OF_USAGE = { answer: { description: 'By day and by key.', schema: USAGE }, handle: showUsage } as const;

const OF_ACCOUNT = {
  access: { account: 'viewer' },
  query: RANGE,
  refusals: ['invalid_request', 'busy'],
} as const;
const OF_ALL = { ...OF_ACCOUNT, access: { operator: 'analyst' } } as const;

const endpoints = {
  show_overview: define('GET /accounts/{account_id}/overview', {
    ...OF_ACCOUNT,
    ...OF_OVERVIEW,
    summary: 'What the checks of an account came to.',
  }),

  show_whole_overview: define('GET /overview', {
    ...OF_ALL,
    ...OF_OVERVIEW,
    summary: 'What the checks of all accounts came to.',
  }),

  show_usage: define('GET /accounts/{account_id}/usage', {
    ...OF_ACCOUNT,
    ...OF_USAGE,
    summary: 'How often an account has asked, by day and by key.',
    description:
      'As far as the checks are on record: `retention.days`, and the erasure of a person, take theirs out of it.',
  }),

  show_whole_usage: define('GET /usage', {
    ...OF_ALL,
    ...OF_USAGE,
    summary: 'How often each account has asked, by day and by key.',
  }),
};

export const OVERVIEW_AREA = defineArea({
  name: 'overview',
  description: 'Figures of what is on record.',
  services: OverviewServices,
  endpoints,
});

/** Of decisions only what occurred. */
function presentOverview({ decisions, buckets, ...figures }: Overview) {
  const counts = presentDecisions(decisions);
  return {
    ...figures,
    checks: sum(counts),
    blocked: sum(counts.filter(({ action }) => action === 'BLOCK')),
    decisions: counts,
    buckets: buckets.map((bucket) => ({ ...bucket, decisions: presentDecisions(bucket.decisions) })),
  };
}

function presentDecisions(decisions: Decisions) {
  return ACTIONS.flatMap((action) =>
    LEVELS.map((level) => ({ action, level, checks: decisions[action][level] })),
  ).filter(({ checks }) => checks > 0);
}

function sum(counts: readonly { readonly checks: number }[]): number {
  return counts.reduce((total, { checks }) => total + checks, 0);
}
