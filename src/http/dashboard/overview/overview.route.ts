import { defineArea } from '../area.ts';
import { RANGE_QUERY } from '../asked-range.ts';
import { endpointsWith } from '../endpoint.ts';
import { closed } from '../json-types.ts';
import { OVERVIEW, USAGE } from './overview.schema.ts';
import { OverviewServices } from './overview-services.ts';

const define = endpointsWith<OverviewServices>();
const RANGE = closed(RANGE_QUERY, ['since', 'until']);
const FIGURES = { status: 200, description: 'The figures.', schema: OVERVIEW } as const;
const USED = { status: 200, description: 'By day and by key.', schema: USAGE } as const;

const showOverview = define({
  method: 'GET',
  path: '/accounts/{account_id}/overview',
  operationId: 'show_overview',
  summary: 'What the checks of an account came to.',
  access: { account: 'viewer' },
  query: RANGE,
  answer: FIGURES,
  refusals: ['invalid_request', 'busy'],
  handle: (services, { query, params, person, signal }) =>
    services.overview(query, params.account_id, { person, signal }),
});

const showWholeOverview = define({
  method: 'GET',
  path: '/overview',
  operationId: 'show_whole_overview',
  summary: 'What the checks of all accounts came to.',
  access: { operator: 'analyst' },
  query: RANGE,
  answer: FIGURES,
  refusals: ['invalid_request', 'busy'],
  handle: (services, { query, person, signal }) => services.overview(query, undefined, { person, signal }),
});

const showUsage = define({
  method: 'GET',
  path: '/accounts/{account_id}/usage',
  operationId: 'show_usage',
  summary: 'How often an account has asked, by day and by key.',
  description:
    'As far as the checks are on record: `retention.days`, and the erasure of a person, take theirs out of it.',
  access: { account: 'viewer' },
  query: RANGE,
  answer: USED,
  refusals: ['invalid_request', 'busy'],
  handle: (services, { query, params, person, signal }) =>
    services.usage(query, params.account_id, { person, signal }),
});

const showWholeUsage = define({
  method: 'GET',
  path: '/usage',
  operationId: 'show_whole_usage',
  summary: 'How often each account has asked, by day and by key.',
  access: { operator: 'analyst' },
  query: RANGE,
  answer: USED,
  refusals: ['invalid_request', 'busy'],
  handle: (services, { query, person, signal }) => services.usage(query, undefined, { person, signal }),
});

export const OVERVIEW_AREA = defineArea({
  name: 'overview',
  description: 'Figures of what is on record.',
  services: OverviewServices,
  endpoints: [showOverview, showWholeOverview, showUsage, showWholeUsage],
});
