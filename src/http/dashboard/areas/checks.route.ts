import type { CheckFilter } from '../../../insights/insights-queries.ts';
import { closed, type Of } from '../../json-types.ts';
import { type Reader, readOpenRange } from '../ask-insights.ts';
import { defineArea, endpointsWith } from '../endpoint.ts';
import { CheckServices } from './check-services.ts';
import {
  EXPLANATION,
  FILTER_QUERY,
  FILTERS,
  FOUND_CHECKS,
  LABEL,
  NAMED_PERSON,
  PAGE_QUERY,
  WHOLE_CHECK,
} from './checks.schema.ts';

const define = endpointsWith<CheckServices>();

const PAGE = closed(PAGE_QUERY, [...FILTERS, 'after']);
const FILTER = closed(FILTER_QUERY, FILTERS);
const FOUND = { description: 'A page, the newest first.', schema: FOUND_CHECKS } as const;
const FILE = {
  description:
    'The newest first, 100,000 at most. Where reading fails the connection ends before the body does: the file is not complete.',
  mediaType: 'text/csv; charset=utf-8',
} as const;
const ONE = { description: 'All that is kept of it.', schema: WHOLE_CHECK } as const;
const SEARCHING =
  'Each filter that is named must hold. A page looks at 20,000 checks at most; where it found little, `searched_back_to` says how far it got, and `next` goes on from there.';

const SEARCH = {
  description: SEARCHING,
  query: PAGE,
  answer: FOUND,
  refusals: ['invalid_request', 'busy'],
} as const;
const EXPORT = { query: FILTER, answer: FILE, refusals: ['invalid_request', 'busy'] } as const;

const endpoints = {
  find_checks: define('GET /accounts/{account_id}/checks', {
    ...SEARCH,
    summary: 'The checks of an account.',
    access: { account: 'viewer' },
    handle: (services, asked) =>
      services.search(filterOf(asked.query, asked.params.account_id), asked.query, asked),
  }),

  find_all_checks: define('GET /checks', {
    ...SEARCH,
    summary: 'The checks of all accounts.',
    access: { operator: 'analyst' },
    handle: (services, asked) => services.search(filterOf(asked.query), asked.query, asked),
  }),

  export_checks: define('GET /accounts/{account_id}/checks.csv', {
    ...EXPORT,
    summary: 'The checks of an account, as a file.',
    access: { account: 'viewer' },
    handle: (services, asked) => sendFile(services, filterOf(asked.query, asked.params.account_id), asked),
  }),

  export_all_checks: define('GET /checks.csv', {
    ...EXPORT,
    summary: 'The checks of all accounts, as a file.',
    access: { operator: 'analyst' },
    handle: (services, asked) => sendFile(services, filterOf(asked.query), asked),
  }),

  name_person: define('POST /checks/person', {
    summary: 'The hash by which the checks of an address are found.',
    description: 'So that no email address appears in a URL or in a log.',
    access: 'signed_in',
    body: closed({ email: { type: 'string', maxLength: 2_000 } }),
    answer: { description: 'In the canonical form.', schema: NAMED_PERSON },
    refusals: ['unparseable_email'],
    handle: (services, { body }) => services.person(body.email),
  }),

  show_check: define('GET /accounts/{account_id}/checks/{check_id}', {
    summary: 'One check.',
    access: { account: 'viewer' },
    answer: ONE,
    refusals: ['busy'],
    handle: (services, asked) => services.show(placeOf(asked.params), asked),
  }),

  show_any_check: define('GET /checks/{check_id}', {
    summary: 'One check, of whichever account.',
    access: { operator: 'analyst' },
    answer: ONE,
    refusals: ['busy'],
    handle: (services, asked) => services.show({ id: asked.params.check_id, accountId: undefined }, asked),
  }),

  explain_check: define('GET /accounts/{account_id}/checks/{check_id}/explanation', {
    summary: 'What the rules in force make of a check, and what would change its action.',
    access: { account: 'viewer' },
    answer: { description: 'From the facts that were recorded.', schema: EXPLANATION },
    refusals: ['busy'],
    handle: (services, asked) => services.explain(placeOf(asked.params), asked),
  }),

  label_check: define('PUT /accounts/{account_id}/checks/{check_id}/label', {
    summary: 'Say what became of a check.',
    description: 'Backtests are judged by it. It comes before the label of the check’s person.',
    access: { account: 'developer' },
    body: closed({ label: LABEL }),
    answer: { description: 'Stored.' },
    handle: async (services, { params, body, person }) =>
      void (await services.label(placeOf(params), body.label, person)),
  }),

  unlabel_check: define('DELETE /accounts/{account_id}/checks/{check_id}/label', {
    summary: 'Take back what was said of a check.',
    access: { account: 'developer' },
    answer: { description: 'Gone.' },
    handle: async (services, { params, person }) => void (await services.unlabel(placeOf(params), person)),
  }),
};

export const CHECKS = defineArea({
  name: 'checks',
  description: 'What is on record, check by check.',
  services: CheckServices,
  endpoints,
});

async function sendFile(
  services: CheckServices,
  filter: CheckFilter,
  asked: Reader & { setHeader(name: string, value: string): void },
) {
  const file = await services.export(filter, asked);
  asked.setHeader('Content-Disposition', 'attachment; filename="checks.csv"');
  return file;
}

function placeOf({ account_id, check_id }: { readonly account_id: string; readonly check_id: string }) {
  return { id: check_id, accountId: account_id };
}

function filterOf(query: Of<typeof FILTER>, accountId?: string): CheckFilter {
  const { person, min_score, max_score, key_id, since, until, ...same } = query;
  return {
    ...same,
    ...readOpenRange({ since, until }),
    accountId,
    addressHmac: person,
    minScore: min_score,
    maxScore: max_score,
    keyId: key_id,
  };
}
