import { AuditTrail } from '../../../accounts/audit-trail.ts';
import type { ListChange } from '../../../lists/own-lists.ts';
import { RULE_EDITING } from '../../../rule-lab/editing/rule-editing.ts';
import { closed } from '../../json-types.ts';
import { ANALYSTS } from '../access.ts';
import { areaOf } from '../endpoint.ts';
import { noteChange } from './lists.route.ts';
import {
  LIST_EFFECT,
  NAMED_CHANGE,
  NAMED_ENTRIES,
  NEW_LIST_LIMIT_BYTES,
  NEW_NAMED_LIST,
} from './lists.schema.ts';
import { PUBLISHED, presentPublished } from './rules.presenter.ts';

const { define, area } = areaOf(
  'named_lists',
  'Lists of domains in lists/ of the rules, which these look into by in_list.',
  { editing: RULE_EDITING, trail: AuditTrail },
  ANALYSTS,
);

export const NAMED_LISTS_AREA = area({
  show_named_list: define('GET /lists/named/{list}/entries', {
    summary: 'A named list with a page of its entries',
    query: closed({
      search: {
        type: 'string',
        maxLength: 320,
        default: '',
        description:
          'In a value, a reason or an owner; of a domain also the entries that it is in the list by.',
      },
      offset: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
      limit: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
    }),
    answer: { description: 'The list.', schema: NAMED_ENTRIES },
    refusals: ['rules_changed', 'busy'],
    async handle({ editing }, { params, query, asking }) {
      const { list, found } = await editing.namedLists.show(params.list, query, asking);
      const { faults: _told, ...entries } = found;
      return { list, ...entries };
    },
  }),

  make_named_list: define('POST /lists/named', {
    summary: 'Make a named list, and wait until it is in force',
    description:
      'Lint and the tests of the rules run first. Where Postern may not write the directory the answer is a patch.',
    body: NEW_NAMED_LIST,
    bodyLimitBytes: NEW_LIST_LIMIT_BYTES,
    answer: { description: 'Whether it is in force.', schema: PUBLISHED },
    refusals: ['rules_changed', 'rules_refused', 'rules_not_written', 'busy'],
    async handle({ editing, trail }, { body: { list }, person }) {
      const published = await editing.namedLists.make(list, person.email);
      if (published.is === 'in_force') {
        const detail = { entries: list.entries.length, version: published.version };
        await trail.record({ person, action: 'list.made', subject: list.name, detail });
      }
      return presentPublished(published);
    },
  }),

  show_effect_of_new_named_list: define('POST /lists/named-effect', {
    summary: 'Which checks on record a new named list would name; nothing is changed',
    description: 'No rule looks into it yet, so that no decision flips.',
    body: NEW_NAMED_LIST,
    bodyLimitBytes: NEW_LIST_LIMIT_BYTES,
    answer: { description: 'Of the last 30 days.', schema: LIST_EFFECT },
    refusals: ['rules_changed', 'rules_refused', 'busy'],
    handle({ editing }, { body: { list }, asking }) {
      return editing.namedLists.effectOfMaking(list, asking);
    },
  }),

  change_named_list: define('POST /lists/named/{list}/changes', {
    summary: 'Add, change or remove an entry of a named list, and wait until it is in force',
    description:
      'Lint and the tests of the rules run first. Where Postern may not write the directory the answer is a patch.',
    body: NAMED_CHANGE,
    answer: { description: 'Whether it is in force.', schema: PUBLISHED },
    refusals: ['list_changed', 'rules_changed', 'rules_refused', 'rules_not_written', 'busy'],
    async handle({ editing, trail }, { params, body, person }) {
      const change = body.change as ListChange;
      const asked = { name: params.list, version: body.version, change };
      const published = await editing.namedLists.change(asked, person.email);
      return noteChange(published, { list: params.list, change }, person, trail);
    },
  }),

  show_effect_of_named_list_change: define('POST /lists/named/{list}/effect', {
    summary: 'What a change of a named list would make of the checks on record; nothing is changed',
    body: NAMED_CHANGE,
    answer: { description: 'Of the last 30 days.', schema: LIST_EFFECT },
    refusals: ['list_changed', 'rules_changed', 'rules_refused', 'busy'],
    handle({ editing }, { params, body, asking }) {
      const asked = { name: params.list, version: body.version, change: body.change as ListChange };
      return editing.namedLists.effectOf(asked, asking);
    },
  }),
});
