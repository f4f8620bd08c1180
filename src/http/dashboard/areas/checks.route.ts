import type { Person } from '../../../accounts/person.ts';
import { requireAddress } from '../../../checks/assessor.ts';
import { NOT_RECORDED, parseRecord, recordedFacts } from '../../../checks/check-record.ts';
import { AppError } from '../../../errors.ts';
import type { CheckFilter } from '../../../insights/insights-queries.ts';
import { isoTime } from '../../../lib/dates.ts';
import { closed, type Of } from '../../json-types.ts';
import { askerOf, type Reader, readOpenRange } from '../ask-insights.ts';
import { defineArea, endpointsWith } from '../endpoint.ts';
import { CheckServices } from './check-services.ts';
import { presentExplanation, presentFound, presentWhole } from './checks.presenter.ts';
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

/** As `labels list` shows where a label came from. */
const SOURCE = 'dashboard';

/** Of the account of the path; of all where it names none. */
interface Filtered extends Reader {
  readonly params: { readonly account_id?: string };
  readonly query: Of<typeof FILTER>;
}

async function search({ insights }: CheckServices, asked: Filtered & { readonly query: Of<typeof PAGE> }) {
  const { after, limit } = asked.query;
  return presentFound(await insights.ask('search', { ...filterOf(asked), after, limit }, askerOf(asked)));
}

async function sendFile(
  services: CheckServices,
  asked: Filtered & { setHeader(name: string, value: string): void },
) {
  const file = await services.export(filterOf(asked), asked);
  asked.setHeader('Content-Disposition', 'attachment; filename="checks.csv"');
  return file;
}

function filterOf({ query, params }: Filtered): CheckFilter {
  const { person, min_score, max_score, key_id, since, until, ...same } = query;
  return {
    ...same,
    ...readOpenRange({ since, until }),
    accountId: params.account_id,
    addressHmac: person,
    minScore: min_score,
    maxScore: max_score,
    keyId: key_id,
  };
}

async function showCheck(
  services: CheckServices,
  asked: Reader & {
    readonly person: Person;
    readonly params: { readonly account_id?: string; readonly check_id: string };
  },
) {
  const whole = await services.find(asked.params.check_id, asked.params.account_id, asked);
  return presentWhole(whole, {
    isOperator: asked.person.operatorRole !== null,
    catalogue: services.collector.catalogue,
    key: await services.keys.find(whole.row.key_id),
  });
}

const endpoints = {
  find_checks: define('GET /accounts/{account_id}/checks', {
    ...SEARCH,
    summary: 'The checks of an account.',
    access: { account: 'viewer' },
    handle: search,
  }),

  find_all_checks: define('GET /checks', {
    ...SEARCH,
    summary: 'The checks of all accounts.',
    access: { operator: 'analyst' },
    handle: search,
  }),

  export_checks: define('GET /accounts/{account_id}/checks.csv', {
    ...EXPORT,
    summary: 'The checks of an account, as a file.',
    access: { account: 'viewer' },
    handle: sendFile,
  }),

  export_all_checks: define('GET /checks.csv', {
    ...EXPORT,
    summary: 'The checks of all accounts, as a file.',
    access: { operator: 'analyst' },
    handle: sendFile,
  }),

  name_person: define('POST /checks/person', {
    summary: 'The hash by which the checks of an address are found.',
    description: 'So that no email address appears in a URL or in a log.',
    access: 'signed_in',
    body: closed({ email: { type: 'string', maxLength: 2_000 } }),
    answer: { description: 'In the canonical form.', schema: NAMED_PERSON },
    refusals: ['unparseable_email'],
    handle({ privacy }, { body }) {
      const { address } = requireAddress(body.email).canonical;
      return { person: privacy.hmac(address), canonical: address };
    },
  }),

  show_check: define('GET /accounts/{account_id}/checks/{check_id}', {
    summary: 'One check.',
    access: { account: 'viewer' },
    answer: ONE,
    refusals: ['busy'],
    handle: showCheck,
  }),

  show_any_check: define('GET /checks/{check_id}', {
    summary: 'One check, of whichever account.',
    access: { operator: 'analyst' },
    answer: ONE,
    refusals: ['busy'],
    handle: showCheck,
  }),

  explain_check: define('GET /accounts/{account_id}/checks/{check_id}/explanation', {
    summary: 'What the rules in force make of a check, and what would change its action.',
    access: { account: 'viewer' },
    answer: { description: 'From the facts that were recorded.', schema: EXPLANATION },
    refusals: ['busy'],
    async handle(services, asked) {
      const { insights, collector, policies } = services;
      const { row } = await services.find(asked.params.check_id, asked.params.account_id, asked);
      const { catalogue } = collector;
      const { facts, unknown } = recordedFacts(parseRecord(row), catalogue);
      const question = { ruleSet: policies.current.ruleSet, known: catalogue.facts, facts };
      const explained = await insights.ask('explain', question, askerOf(asked));
      const missing = Object.keys(unknown).filter((fact) => unknown[fact] === NOT_RECORDED);
      return presentExplanation(explained, facts, missing);
    },
  }),

  label_check: define('PUT /accounts/{account_id}/checks/{check_id}/label', {
    summary: 'Say what became of a check.',
    description: 'Backtests are judged by it. It comes before the label of the check’s person.',
    access: { account: 'developer' },
    body: closed({ label: LABEL }),
    answer: { description: 'Stored.' },
    async handle(
      { labels, trail, clock },
      { params: { account_id: accountId, check_id: id }, body, person },
    ) {
      const { label } = body;
      const at = isoTime(clock.now());
      const given = { subject: { checkId: id }, label, source: SOURCE, author: person.email, labelledAt: at };
      const { absent } = await labels.put(accountId, [given], at);
      // Checks of test keys take no labels.
      if (absent > 0) throw new AppError('not_found');
      await trail.record({ person, action: 'check.labelled', subject: id, accountId, detail: { label } });
      return undefined;
    },
  }),

  unlabel_check: define('DELETE /accounts/{account_id}/checks/{check_id}/label', {
    summary: 'Take back what was said of a check.',
    access: { account: 'developer' },
    answer: { description: 'Gone.' },
    async handle({ labels, trail }, { params: { account_id: accountId, check_id: id }, person }) {
      if (!(await labels.remove(accountId, { checkId: id }))) throw new AppError('not_found');
      await trail.record({ person, action: 'check.label_removed', subject: id, accountId });
      return undefined;
    },
  }),
};

export const CHECKS = defineArea({
  name: 'checks',
  description: 'What is on record, check by check.',
  services: CheckServices,
  endpoints,
});
