import { AuditTrail } from '../../../accounts/audit-trail.ts';
import type { Person } from '../../../accounts/person.ts';
import { ACTIVE_POLICY } from '../../../checks/active-policy.ts';
import { requireAddress } from '../../../checks/assessor.ts';
import { notInRecord, parseRecord, recordedFacts } from '../../../checks/check-record.ts';
import { AppError } from '../../../errors.ts';
import { type CheckFilter, INSIGHTS, searchAmong } from '../../../insights/insights-queries.ts';
import type { Asking } from '../../../jobs/job-queue.ts';
import type { Label } from '../../../labels/label.ts';
import { counted } from '../../../lib/statistics.ts';
import { CLOCK, DAY_MS, isoTime } from '../../../lib/time.ts';
import { ADDRESS_PRIVACY } from '../../../privacy/address-privacy.ts';
import { recordedDomain } from '../../../provider-kit/domain-names.ts';
import { EFFECT_DAYS } from '../../../rule-lab/editing/own-lists.ts';
import { RULE_EDITING } from '../../../rule-lab/editing/rule-editing.ts';
import { SignalCollector } from '../../../signals/signal-collector.ts';
import { LABEL_STORE } from '../../../storage/label-ports.ts';
import { KEY_STORE } from '../../../storage/ports.ts';
import { COUNT, closed, type Of, TEXT } from '../../json-types.ts';
import { areaOf, overAll, type Services } from '../endpoint.ts';
import { readOpenRange } from '../time-range.ts';
import {
  EXPLANATION,
  FILTER_QUERY,
  FILTERS,
  FOUND_CHECKS,
  LABEL_OR_NONE,
  NAMED_PERSON,
  PAGE_QUERY,
  presentExplanation,
  presentWhole,
  WHOLE_CHECK,
} from './checks.presenter.ts';
import { CheckExports, type PagedSearch } from './export-checks.ts';
import { DAYS } from './rule-replay.schema.ts';

const NEEDS = {
  editing: RULE_EDITING,
  insights: INSIGHTS,
  exports: CheckExports,
  labels: LABEL_STORE,
  keys: KEY_STORE,
  privacy: ADDRESS_PRIVACY,
  policies: ACTIVE_POLICY,
  collector: SignalCollector,
  trail: AuditTrail,
  clock: CLOCK,
};
const { define, area } = areaOf('checks', 'What is on record, check by check.', NEEDS);

const PAGE = closed(PAGE_QUERY, [...FILTERS, 'after', 'before']);
const FILTER = closed(FILTER_QUERY, FILTERS);

/** The search of a query; with `flips`, among the checks that flip. Throws AppError `forbidden` then for members, who do not see rules. */
async function searcherOf(
  { insights, editing, clock }: Services<typeof NEEDS>,
  { flips, since }: Pick<Of<typeof FILTER>, 'flips' | 'since'>,
  { person, asking }: { readonly person: Person; readonly asking: Asking },
): Promise<PagedSearch> {
  const search: PagedSearch = (asked, as = asking) => insights.ask('search', asked, as);
  if (flips === undefined) return search;
  if (person.operatorRole === null) throw new AppError('forbidden');
  const days = daysSince(readOpenRange({ since }).since, clock.now());
  const known = await editing.flipsOf(flips, days, asking);
  return (asked, as) => searchAmong(known, asked, (some) => search(some, as));
}

/** Whole days of records to judge, so that `since` is among them, within the bounds of `DAYS`. Without `since`, `EFFECT_DAYS`. */
function daysSince(since: string | undefined, now: number): number {
  if (since === undefined) return EFFECT_DAYS;
  return Math.min(Math.max(Math.ceil((now - Date.parse(since)) / DAY_MS), DAYS.minimum), DAYS.maximum);
}

function filterOf(
  { flips: _, domain, ...query }: Of<typeof FILTER>,
  params: { readonly account_id: string },
): CheckFilter {
  return {
    ...query,
    ...readOpenRange(query),
    domain: domain && recordedDomain(domain),
    accountId: params.account_id,
  };
}

interface OneRequest {
  readonly params: { readonly account_id: string; readonly check_id: string };
  readonly asking: Asking;
}

async function findCheck({ insights }: Services<typeof NEEDS>, { params, asking }: OneRequest) {
  const whole = await insights.ask('check', { id: params.check_id, accountId: params.account_id }, asking);
  if (whole === null) throw new AppError('not_found');
  return whole;
}

const find = define('GET /accounts/{account_id}/checks', {
  summary: 'The checks of an account.',
  description:
    'Each filter that is named must hold. A page looks at 20,000 checks at most; where it found little, `searched_back_to` says how far it got, and `next` goes on from there.',
  access: { account: 'viewer' },
  query: PAGE,
  answer: { description: 'A page, the newest first.', schema: FOUND_CHECKS },
  refusals: ['forbidden', 'not_found', 'rules_refused', 'busy'],
  async handle(services, { query: { after, before, limit, ...query }, params, person, asking }) {
    const search = await searcherOf(services, query, { person, asking });
    const found = await search({ ...filterOf(query, params), after, before, limit });
    // The cast is safe: rows are typed as strings, but the table gets only actions and levels that the service decided.
    return found as Of<typeof FOUND_CHECKS>;
  },
});

const save = define('GET /accounts/{account_id}/checks.csv', {
  summary: 'The checks of an account, as a file.',
  access: { account: 'viewer' },
  query: FILTER,
  answer: {
    description:
      'The newest first, 100,000 at most. Where reading fails the connection ends before the body does: the file is not complete.',
    mediaType: 'text/csv; charset=utf-8',
  },
  refusals: ['forbidden', 'not_found', 'rules_refused', 'busy'],
  async handle(services, { query, params, person, asking, setHeader }) {
    const search = await searcherOf(services, query, { person, asking });
    const file = await services.exports.begin(filterOf(query, params), asking, search);
    setHeader('Content-Disposition', 'attachment; filename="checks.csv"');
    return file;
  },
});

const show = define('GET /accounts/{account_id}/checks/{check_id}', {
  summary: 'One check.',
  access: { account: 'viewer' },
  answer: { description: 'All that is kept of it.', schema: WHOLE_CHECK },
  refusals: ['busy'],
  async handle(services, asked) {
    const whole = await findCheck(services, asked);
    return presentWhole(whole, {
      isOperator: asked.person.operatorRole !== null,
      catalogue: services.collector.catalogue,
      key: await services.keys.find(whole.row.key_id),
      ruleSet: services.policies.current.ruleSet,
    });
  },
});

/** Twenty pages of the dashboard's table. */
const MOST_LABELLED = 1_000;

/**
 * Sets the label, or removes it. `was`: by check, the label that the person was shown. Returns how many of the checks have it now, or
 * had one that was removed; and how many keep another, which is not the one that was shown or was given later.
 */
async function setLabel(
  { labels, clock }: Services<typeof NEEDS>,
  accountId: string,
  checks: readonly string[],
  label: Label | 'none',
  { email }: Person,
  was: Readonly<Record<string, Label | 'none' | undefined>> = {},
): Promise<{ readonly changed: number; readonly left: number }> {
  const shown = checks.map((checkId) => ({ checkId, was: was[checkId] }));
  if (label === 'none') {
    const { removed: changed, left } = await labels.remove(accountId, shown);
    return { changed, left };
  }
  const at = isoTime(clock.now());
  const told = { label, source: 'dashboard', author: email, labelledAt: at };
  const given = shown.map(({ checkId, was }) => ({ subject: { checkId }, ...told, was }));
  const { absent, older: left } = await labels.put(accountId, given, at);
  return { changed: checks.length - absent - left, left };
}

/** What the audit trail says of a label that was set or removed. */
function entryOf(label: Label | 'none') {
  return label === 'none'
    ? ({ action: 'check.label_removed', detail: {} } as const)
    : ({ action: 'check.labelled', detail: { label } } as const);
}

export const CHECKS = area({
  find_checks: find,
  find_all_checks: overAll(find, 'The checks of all accounts.'),
  export_checks: save,
  export_all_checks: overAll(save, 'The checks of all accounts, as a file.'),

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

  show_check: show,
  show_any_check: overAll(show, 'One check, of whichever account.'),

  explain_check: define('GET /accounts/{account_id}/checks/{check_id}/explanation', {
    summary: 'What the rules in force make of a check, and what would change its action.',
    access: { account: 'viewer' },
    answer: { description: 'From the facts that were recorded.', schema: EXPLANATION },
    refusals: ['busy'],
    async handle(services, asked) {
      const { insights, collector, policies } = services;
      const { row } = await findCheck(services, asked);
      const { catalogue } = collector;
      const { ruleSet } = policies.current;
      const { facts, unknown } = recordedFacts(parseRecord(row), catalogue, ruleSet);
      const question = { ruleSet, known: catalogue.facts, facts };
      const explained = await insights.ask('explain', question, asked.asking);
      return presentExplanation(explained, notInRecord(unknown));
    },
  }),

  label_check: define('PUT /accounts/{account_id}/checks/{check_id}/label', {
    summary: 'Say what became of a check, or take it back.',
    description:
      'Backtests are judged by it. It comes before the label of the check’s person. Checks of test keys take no label.',
    access: { account: 'developer' },
    body: closed(
      {
        label: LABEL_OR_NONE,
        was: {
          ...LABEL_OR_NONE,
          description:
            'The label that was shown: the request is refused where the check has another of its own by now. Without it nothing is compared.',
        },
      },
      ['was'],
    ),
    answer: { description: 'Stored.' },
    refusals: ['label_changed'],
    async handle(
      services,
      { params: { account_id: accountId, check_id: id }, body: { label, was }, person },
    ) {
      const { changed, left } = await setLabel(services, accountId, [id], label, person, { [id]: was });
      if (left > 0) throw new AppError('label_changed');
      if (changed === 0) throw new AppError('not_found');
      await services.trail.record({ person, subject: id, accountId, ...entryOf(label) });
    },
  }),

  label_checks: define('PUT /accounts/{account_id}/labels', {
    summary: 'Say what became of several checks.',
    description: 'Checks that are not on record, or of test keys, take no label.',
    access: { account: 'developer' },
    body: closed(
      {
        checks: { type: 'array', items: TEXT, minItems: 1, maxItems: MOST_LABELLED },
        label: LABEL_OR_NONE,
        was: {
          type: 'object',
          additionalProperties: LABEL_OR_NONE,
          description:
            'By check, the label that was shown: a check that has another of its own by now keeps it. Where a check is not named, nothing is compared.',
        },
      },
      ['was'],
    ),
    // A thousand ids, twice.
    bodyLimitBytes: 131_072,
    answer: {
      description:
        'How many were changed; how many keep another label than was shown, or one that was given later; and how many there were not, or had no label that could be taken off.',
      schema: closed({ changed: COUNT, left: COUNT, absent: COUNT }),
    },
    async handle(
      services,
      { params: { account_id: accountId }, body: { label, checks: named, was }, person },
    ) {
      const checks = [...new Set(named)];
      const { changed, left } = await setLabel(services, accountId, checks, label, person, was);
      const { action, detail } = entryOf(label);
      const subject = counted(changed, 'check');
      if (changed > 0)
        await services.trail.record({ person, action, subject, accountId, detail: { ...detail, checks } });
      return { changed, left, absent: checks.length - changed - left };
    },
  }),
});
