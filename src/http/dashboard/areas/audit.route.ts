import { mayLookInto } from '../../../accounts/person.ts';
import { AppError } from '../../../errors.ts';
import { AUDIT_ACTIONS, AUDIT_STORE } from '../../../storage/people-ports.ts';
import { closed, INSTANT, listOf, nullable, record, TEXT } from '../../json-types.ts';
import { areaOf } from '../endpoint.ts';
import { readOpenRange } from '../time-range.ts';

const ACTION = { type: 'string', enum: AUDIT_ACTIONS } as const;

const ENTRY = record('audit_entry', {
  id: TEXT,
  at: INSTANT,
  person_id: nullable(TEXT),
  person: { type: 'string', description: 'The email then, or `command line`.' },
  action: { ...TEXT, description: 'One of those of the query, or one that another version knows.' },
  subject: nullable(TEXT),
  account_id: nullable(TEXT),
  detail: { type: 'object' },
});

const { define, area } = areaOf('audit', 'The audit trail.', { trail: AUDIT_STORE });

export const AUDIT_AREA = area({
  list_audit_trail: define('GET /audit', {
    summary: 'Who did what.',
    description: 'Operators see everything; members what was done in their accounts.',
    access: 'signed_in',
    query: closed(
      {
        account_id: { type: 'string' },
        person_id: { type: 'string' },
        action: ACTION,
        subject: { type: 'string', description: 'The id of what it was done to.' },
        since: { type: 'string', description: 'Done then or later: `2026-11-20` or `2026-11-20T08:00:00Z`.' },
        until: { type: 'string', description: 'Done before then.' },
        before: {
          type: 'string',
          description: 'Only what is older than the entry of this id: `next` of the page before.',
        },
        limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      },
      ['account_id', 'person_id', 'action', 'subject', 'since', 'until', 'before'],
    ),
    answer: {
      description: 'The newest first.',
      schema: closed({
        entries: listOf(ENTRY),
        next: nullable(TEXT, 'For `before`; null where there is no more.'),
      }),
    },
    refusals: ['not_found'],
    handle: async ({ trail }, { query, person }) => {
      const { account_id: accountId, person_id: personId, limit, ...selection } = query;
      const range = readOpenRange(query);
      if (accountId !== undefined && !mayLookInto(person, accountId)) throw new AppError('not_found');
      const own =
        person.operatorRole === null ? person.memberships.map(({ accountId }) => accountId) : undefined;
      const accountIds = accountId === undefined ? own : [accountId];
      // One more than is shown tells whether there is more.
      const found = await trail.list({ ...selection, ...range, accountIds, personId, limit: limit + 1 });
      const entries = found.slice(0, limit);
      return {
        entries: entries.map(({ personId, accountId, ...entry }) => {
          return { ...entry, person_id: personId, account_id: accountId };
        }),
        next: found.length > limit ? (entries.at(-1)?.id ?? null) : null,
      };
    },
  }),
});
