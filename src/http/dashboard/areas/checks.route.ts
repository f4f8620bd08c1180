import type { CheckFilter } from '../../../insights/insights-queries.ts';
import { type Reader, readOpenRange } from '../ask-insights.ts';
import { defineArea, endpointsWith } from '../endpoint.ts';
import { closed, type Of } from '../json-types.ts';
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
const FOUND = { status: 200, description: 'A page, the newest first.', schema: FOUND_CHECKS } as const;
const FILE = {
  status: 200,
  description:
    'The newest first, 100,000 at most. Where reading fails the connection ends before the body does: the file is not complete.',
  mediaType: 'text/csv; charset=utf-8',
} as const;
const ONE = { status: 200, description: 'All that is kept of it.', schema: WHOLE_CHECK } as const;
const SEARCHING =
  'Each filter that is named must hold. A page looks at 20,000 checks at most; where it found little, `searched_back_to` says how far it got, and `next` goes on from there.';

const SEARCH = {
  method: 'GET',
  description: SEARCHING,
  query: PAGE,
  answer: FOUND,
  refusals: ['invalid_request', 'busy'],
} as const;
const EXPORT = { method: 'GET', query: FILTER, answer: FILE, refusals: ['invalid_request', 'busy'] } as const;

const findChecks = define({
  ...SEARCH,
  path: '/accounts/{account_id}/checks',
  operationId: 'find_checks',
  summary: 'The checks of an account.',
  access: { account: 'viewer' },
  handle: (services, asked) =>
    services.search(filterOf(asked.query, asked.params.account_id), asked.query, asked),
});

const findAllChecks = define({
  ...SEARCH,
  path: '/checks',
  operationId: 'find_all_checks',
  summary: 'The checks of all accounts.',
  access: { operator: 'analyst' },
  handle: (services, asked) => services.search(filterOf(asked.query), asked.query, asked),
});

const exportChecks = define({
  ...EXPORT,
  path: '/accounts/{account_id}/checks.csv',
  operationId: 'export_checks',
  summary: 'The checks of an account, as a file.',
  access: { account: 'viewer' },
  handle: (services, asked) => sendFile(services, filterOf(asked.query, asked.params.account_id), asked),
});

const exportAllChecks = define({
  ...EXPORT,
  path: '/checks.csv',
  operationId: 'export_all_checks',
  summary: 'The checks of all accounts, as a file.',
  access: { operator: 'analyst' },
  handle: (services, asked) => sendFile(services, filterOf(asked.query), asked),
});

const namePerson = define({
  method: 'POST',
  path: '/checks/person',
  operationId: 'name_person',
  summary: 'The hash by which the checks of an address are found.',
  description: 'So that no email address appears in a URL or in a log.',
  access: 'signed_in',
  body: closed({ email: { type: 'string', maxLength: 2_000 } }),
  answer: { status: 200, description: 'In the canonical form.', schema: NAMED_PERSON },
  refusals: ['unparseable_email'],
  handle: (services, { body }) => services.person(body.email),
});

const showCheck = define({
  method: 'GET',
  path: '/accounts/{account_id}/checks/{check_id}',
  operationId: 'show_check',
  summary: 'One check.',
  access: { account: 'viewer' },
  answer: ONE,
  refusals: ['busy'],
  handle: (services, asked) => services.show(placeOf(asked.params), asked),
});

const showAnyCheck = define({
  method: 'GET',
  path: '/checks/{check_id}',
  operationId: 'show_any_check',
  summary: 'One check, of whichever account.',
  access: { operator: 'analyst' },
  answer: ONE,
  refusals: ['busy'],
  handle: (services, asked) => services.show({ id: asked.params.check_id, accountId: undefined }, asked),
});

const explainCheck = define({
  method: 'GET',
  path: '/accounts/{account_id}/checks/{check_id}/explanation',
  operationId: 'explain_check',
  summary: 'What the rules in force make of a check, and what would change its action.',
  access: { account: 'viewer' },
  answer: { status: 200, description: 'From the facts that were recorded.', schema: EXPLANATION },
  refusals: ['busy'],
  handle: (services, asked) => services.explain(placeOf(asked.params), asked),
});

const labelCheck = define({
  method: 'PUT',
  path: '/accounts/{account_id}/checks/{check_id}/label',
  operationId: 'label_check',
  summary: 'Say what became of a check.',
  description: 'Backtests are judged by it. It comes before the label of the check’s person.',
  access: { account: 'developer' },
  body: closed({ label: LABEL }),
  answer: { status: 204, description: 'Stored.' },
  handle: async (services, { params, body, person }) =>
    void (await services.label(placeOf(params), body.label, person)),
});

const unlabelCheck = define({
  method: 'DELETE',
  path: '/accounts/{account_id}/checks/{check_id}/label',
  operationId: 'unlabel_check',
  summary: 'Take back what was said of a check.',
  access: { account: 'developer' },
  answer: { status: 204, description: 'Gone.' },
  handle: async (services, { params, person }) => void (await services.unlabel(placeOf(params), person)),
});

export const CHECKS = defineArea({
  name: 'checks',
  description: 'What is on record, check by check.',
  services: CheckServices,
  endpoints: [
    findChecks,
    findAllChecks,
    exportChecks,
    exportAllChecks,
    namePerson,
    showCheck,
    showAnyCheck,
    explainCheck,
    labelCheck,
    unlabelCheck,
  ],
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
