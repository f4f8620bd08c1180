import { isUsable } from '../../../accounts/key.ts';
import { ATTENTION } from '../../../attention/attention.ts';
import { INSIGHTS } from '../../../insights/insights-queries.ts';
import { CLOCK, DAY_MS, isoTime } from '../../../lib/time.ts';
import { LABEL_STORE } from '../../../storage/label-ports.ts';
import { LINK_STORE, PEOPLE_STORE } from '../../../storage/people-ports.ts';
import { ACCOUNT_STORE, KEY_STORE } from '../../../storage/ports.ts';
import { FLAG, nullable, record } from '../../json-types.ts';
import { areaOf } from '../endpoint.ts';

/** Days for which an account that has asked counts as new, whatever steps it has left undone. */
const NEW_DAYS = 7;

const OF_OPERATORS = 'Null for those who are no operators: it is of the installation.';
const FIRST_STEPS = record('first_steps', {
  is_new: { ...FLAG, description: 'The account was made within the last week, or has never asked.' },
  live_key: FLAG,
  live_check: { ...FLAG, description: 'A check of a live key is on record.' },
  test_key: FLAG,
  label: FLAG,
  others_invited: nullable(FLAG, OF_OPERATORS),
  lists_fresh: nullable(FLAG, OF_OPERATORS),
});

const { define, area } = areaOf('first_steps', 'What a new account does first.', {
  keys: KEY_STORE,
  accounts: ACCOUNT_STORE,
  labels: LABEL_STORE,
  insights: INSIGHTS,
  people: PEOPLE_STORE,
  links: LINK_STORE,
  attention: ATTENTION,
  clock: CLOCK,
});

export const FIRST_STEPS_AREA = area({
  show_first_steps: define('GET /accounts/{account_id}/first-steps', {
    summary: 'What of the first hour is done.',
    access: { account: 'viewer' },
    answer: { description: 'Each step by itself.', schema: FIRST_STEPS },
    refusals: ['busy'],
    async handle(
      { keys, accounts, labels, insights, people, links, attention, clock },
      { params, person, asking },
    ) {
      const accountId = params.account_id;
      const now = clock.now();
      const isOperator = person.operatorRole !== null;
      const usable = (await keys.list(accountId)).filter((key) => isUsable(key, now));
      const newest = { accountId, environment: 'live', limit: 1 };
      const hasAsked = (await insights.ask('search', newest, asking)).checks.length > 0;
      const madeAt = Date.parse((await accounts.find(accountId))?.createdAt ?? '');
      const isAlone = async () =>
        (await people.list()).length < 2 && (await links.listOpen(isoTime(now))).length === 0;
      return {
        is_new: !hasAsked || now - madeAt < NEW_DAYS * DAY_MS,
        live_key: usable.some(({ environment }) => environment === 'live'),
        live_check: hasAsked,
        test_key: usable.some(({ environment }) => environment === 'test'),
        label: (await labels.list(accountId, 1)).length > 0,
        others_invited: isOperator ? !(await isAlone()) : null,
        lists_fresh: isOperator ? !(await attention.look()).some(({ id }) => id === 'list_old') : null,
      };
    },
  }),
});
