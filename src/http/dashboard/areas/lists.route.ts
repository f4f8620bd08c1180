import { AuditTrail } from '../../../accounts/audit-trail.ts';
import type { Person } from '../../../accounts/person.ts';
import { ACTIVE_POLICY } from '../../../checks/active-policy.ts';
import { AppError } from '../../../errors.ts';
import { compareKeys } from '../../../lib/text.ts';
import { CLOCK } from '../../../lib/time.ts';
import { LIST_REFRESHER, type ListRefresher, type RefreshedList } from '../../../lists/list-refresher.ts';
import { presentData, spokenName } from '../../../lists/list-status.ts';
import { type ListChange, OWN_LISTS, type OwnList } from '../../../lists/own-lists.ts';
import type { Published } from '../../../rule-lab/editing/publisher.ts';
import { RULE_EDITING } from '../../../rule-lab/editing/rule-editing.ts';
import { listsOf } from '../../../signals/prepare-providers.ts';
import { closed, FLAG, INTEGER, type LiteralSchema, listOf, nullable, TEXT } from '../../json-types.ts';
import { ANALYSTS } from '../access.ts';
import { areaOf } from '../endpoint.ts';
import { DATA_LIST, DOWNLOAD, LIST_CHANGE, LIST_EFFECT, NAMED_LIST, OWN_LIST } from './lists.schema.ts';
import { PUBLISHED, presentPublished } from './rules.presenter.ts';

const NEEDS = {
  editing: RULE_EDITING,
  refresher: LIST_REFRESHER,
  policies: ACTIVE_POLICY,
  trail: AuditTrail,
  clock: CLOCK,
};
const { define, area } = areaOf(
  'lists',
  'The allow and deny lists, and the lists of domains that providers answer from.',
  NEEDS,
  ANALYSTS,
);
const LISTS: LiteralSchema = closed({
  own: listOf(OWN_LIST),
  named: listOf(NAMED_LIST, 'Lists of domains in lists/ of the rules, which these look into by in_list.'),
  downloads: listOf(DOWNLOAD),
  data: listOf(DATA_LIST),
});

const ACTION_OF = {
  add: 'list.entry_added',
  replace: 'list.entry_changed',
  remove: 'list.entry_removed',
} as const satisfies Record<ListChange['kind'], string>;

function ownListOf(word: string): OwnList {
  const list = OWN_LISTS.find((candidate) => candidate === word);
  if (list === undefined) throw new AppError('not_found');
  return list;
}

/** Notes a change in the audit trail once it is in force, and returns the answer. The trail has no addresses: only the domain is written. */
export async function noteChange(
  published: Published,
  { list, change }: { readonly list: string; readonly change: ListChange },
  person: Person,
  trail: AuditTrail,
) {
  if (published.is === 'in_force') {
    const value = change.kind === 'remove' ? change.value : change.entry.value;
    const subject = `${list}: ${value.replace(/^.*@/, '…@')}`;
    const detail = { list, version: published.version };
    await trail.record({ person, action: ACTION_OF[change.kind], subject, detail });
  }
  return presentPublished(published);
}

const UPDATE_RESULT = {
  result: { enum: ['taken', 'unchanged', 'refused', 'failed'] },
  reason: nullable(TEXT),
  entries: INTEGER,
  added: INTEGER,
  removed: INTEGER,
} as const;

export const LISTS_AREA = area({
  list_lists: define('GET /lists', {
    summary: 'Every list that affects decisions: allow and deny, downloaded lists, data of the providers',
    answer: { description: 'The state of each.', schema: LISTS },
    refusals: ['rules_changed', 'busy'],
    handle: async ({ editing, refresher, policies, clock }, { asking }) => ({
      own: (await editing.lists.read()).map(({ entries, ...list }) => ({
        ...list,
        entries: entries.map((entry) => ({ expires: null, ...entry })),
      })),
      named: await editing.namedLists.read(asking),
      downloads: (await refresher.read()).map(presentDownload),
      data: listsOf(policies.current.providers)
        .toSorted(compareKeys)
        .map((list) => presentData(list, clock.now())),
    }),
  }),

  change_list: define('POST /lists/{list}/changes', {
    summary: 'Add, change or remove an entry of allow or deny, and wait until it is in force',
    description:
      'Lint and the tests of the rules run on the file first. Where Postern may not write the directory the answer is a patch.',
    body: LIST_CHANGE,
    answer: { description: 'Whether it is in force.', schema: PUBLISHED },
    refusals: ['list_changed', 'rules_changed', 'rules_refused', 'rules_not_written', 'busy'],
    handle: async ({ editing, trail }, { params, body, person }) => {
      const list = ownListOf(params.list);
      const change = body.change as ListChange;
      const published = await editing.lists.change(list, body.version, change, person.email);
      return noteChange(published, { list, change }, person, trail);
    },
  }),

  show_effect_of_list_change: define('POST /lists/{list}/effect', {
    summary: 'What a change of allow or deny would make of the checks on record; nothing is changed',
    body: LIST_CHANGE,
    answer: { description: 'Of the last 30 days.', schema: LIST_EFFECT },
    refusals: ['list_changed', 'rules_changed', 'busy'],
    handle({ editing }, { params, body, asking }) {
      const list = ownListOf(params.list);
      const asked = { list, version: body.version, change: body.change as ListChange };
      return editing.lists.effectOf(asked, asking);
    },
  }),

  update_list: define('POST /lists/downloads/{list}/update', {
    summary: 'Download a list now, one that was rolled back too',
    body: closed(
      {
        accept: {
          ...FLAG,
          default: false,
          description:
            'Accepts a list that was refused for how much it changed or for what it names: you have checked it.',
        },
        expected: {
          ...TEXT,
          description:
            'The `download` whose effect was looked at: where the source holds another by now, nothing is done.',
        },
      },
      ['expected'],
    ),
    refusals: ['list_changed'],
    answer: {
      description: 'What it came to.',
      schema: closed(UPDATE_RESULT),
    },
    handle: async ({ refresher, trail }, { params, body: { accept, expected }, person }) => {
      const looked = { accepted: accept, expected };
      const { result, reason, entries, added, removed } = await refresher.updateNow(params.list, looked);
      const detail = { result, accepted: accept };
      await trail.record({ person, action: 'list.updated', subject: params.list, detail });
      return { result, reason, entries, added, removed };
    },
  }),

  show_effect_of_download: define('POST /lists/downloads/{list}/effect', {
    summary: 'What an update or a rollback of a list would make of the checks on record; nothing is changed',
    description: 'An update is downloaded and judged for it.',
    body: closed({
      change: { enum: ['update', 'rollback'] },
      accept: { ...FLAG, default: false, description: 'As if what is refused were accepted.' },
    }),
    answer: {
      description: 'What it would come to, and the effect where another snapshot would come in force.',
      schema: closed({
        ...UPDATE_RESULT,
        download: nullable(
          TEXT,
          'What the update or the rollback takes as `expected`: names what was downloaded, or both snapshots; null where nothing would be taken.',
        ),
        effect: nullable(LIST_EFFECT),
      }),
    },
    refusals: ['rules_changed', 'busy'],
    async handle({ editing, refresher }, { params, body, asking }) {
      const { snapshot, ...found } =
        body.change === 'update'
          ? await refresher.preview(params.list, body.accept, asking.signal)
          : describeBefore(await refresher.snapshotBefore(params.list));
      if (snapshot === null) return { ...found, effect: null };
      const effect = await editing.lists.effectOfDownload(snapshot, asking);
      return { ...found, effect };
    },
  }),

  roll_list_back: define('POST /lists/downloads/{list}/rollback', {
    summary: 'Put the snapshot of a list back that was in force before',
    body: closed(
      {
        expected: {
          ...TEXT,
          description:
            'The `download` of the effect that was looked at: where other snapshots are there by now, nothing is done.',
        },
      },
      ['expected'],
    ),
    refusals: ['list_changed'],
    answer: {
      description: 'What is in force now, or why nothing was changed.',
      schema: closed({
        is_done: FLAG,
        reason: nullable(TEXT),
        entries: nullable(INTEGER),
        taken_at: nullable(TEXT),
      }),
    },
    handle: async ({ refresher, trail }, { params, body, person }) => {
      const outcome = await refresher.rollBack(params.list, body.expected);
      if (!outcome.ok) return { is_done: false, reason: outcome.reason, entries: null, taken_at: null };
      const { entries, taken_at, sha256 } = outcome.to;
      const detail = { to: sha256, from: outcome.from.sha256 };
      await trail.record({ person, action: 'list.rolled_back', subject: params.list, detail });
      return { is_done: true, reason: null, entries, taken_at };
    },
  }),
});

function presentDownload({ status, snapshots }: RefreshedList) {
  const { sha256: _sha256, earlier_snapshots: _earlier, ...shown } = status;
  return {
    ...shown,
    name: spokenName(status.url),
    snapshots: snapshots.map(({ download_sha256: _download, ...snapshot }) => snapshot),
  };
}

/** Describes a rollback in the form of an update. */
function describeBefore(found: Awaited<ReturnType<ListRefresher['snapshotBefore']>>) {
  const nothing = { entries: 0, added: 0, removed: 0, download: null };
  if (!found.ok) return { ...nothing, result: 'refused' as const, reason: found.reason, snapshot: null };
  const { snapshot, pin } = found;
  const { entries } = snapshot.kept;
  return { ...nothing, result: 'taken' as const, reason: null, entries, download: pin, snapshot };
}
