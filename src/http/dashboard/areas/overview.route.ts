import { inject, injectable } from '../../../di.ts';
import { INSIGHTS, type InsightsQueries } from '../../../insights/insights-queries.ts';
import type { Decisions, Overview } from '../../../insights/overview.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import type { Clock } from '../../../provider-kit/index.ts';
import { ACTIONS, LEVELS } from '../../../rules/decision.ts';
import { closed } from '../../json-types.ts';
import { type AskedRange, askerOf, RANGE_QUERY, type Reader, readRange } from '../ask-insights.ts';
import { defineArea, endpointsWith } from '../endpoint.ts';
import { OVERVIEW, USAGE } from './overview.schema.ts';

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
  const range = readRange(asked.query, clock.now());
  const ask = { accountId: asked.params.account_id, ...range };
  return presentOverview(await insights.ask('overview', ask, askerOf(asked)));
}

async function showUsage({ insights, clock }: OverviewServices, asked: RangeRequest) {
  const range = readRange(asked.query, clock.now());
  const ask = { accountId: asked.params.account_id, ...range };
  return { ...range, ...(await insights.ask('usage', ask, askerOf(asked))) };
}

const define = endpointsWith<OverviewServices>();
const RANGE = closed(RANGE_QUERY, ['since', 'until']);
const FIGURES = { description: 'The figures.', schema: OVERVIEW } as const;
const USED = { description: 'By day and by key.', schema: USAGE } as const;

const OF_ACCOUNT = {
  access: { account: 'viewer' },
  query: RANGE,
  refusals: ['invalid_request', 'busy'],
} as const;
const OF_ALL = { ...OF_ACCOUNT, access: { operator: 'analyst' } } as const;

const endpoints = {
  show_overview: define('GET /accounts/{account_id}/overview', {
    ...OF_ACCOUNT,
    summary: 'What the checks of an account came to.',
    answer: FIGURES,
    handle: showOverview,
  }),

  show_whole_overview: define('GET /overview', {
    ...OF_ALL,
    summary: 'What the checks of all accounts came to.',
    answer: FIGURES,
    handle: showOverview,
  }),

  show_usage: define('GET /accounts/{account_id}/usage', {
    ...OF_ACCOUNT,
    summary: 'How often an account has asked, by day and by key.',
    description:
      'As far as the checks are on record: `retention.days`, and the erasure of a person, take theirs out of it.',
    answer: USED,
    handle: showUsage,
  }),

  show_whole_usage: define('GET /usage', {
    ...OF_ALL,
    summary: 'How often each account has asked, by day and by key.',
    answer: USED,
    handle: showUsage,
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
