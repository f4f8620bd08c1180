import { AuditTrail } from '../../../accounts/audit-trail.ts';
import { ACTIVE_POLICY, type ActivePolicy } from '../../../checks/active-policy.ts';
import { inject, injectable } from '../../../di.ts';
import { AppError } from '../../../errors.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import { compareKeys } from '../../../lib/text.ts';
import { LIST_REFRESHER, type ListRefresher, type RefreshedList } from '../../../lists/list-refresher.ts';
import { presentData } from '../../../lists/list-status.ts';
import { OWN_LISTS, type OwnList } from '../../../lists/own/list-file.ts';
import type { ListChange, StandingList } from '../../../lists/own/own-list-edits.ts';
import type { Clock, DataList } from '../../../provider-kit/index.ts';
import { OwnLists } from '../../../rule-lab/editing/own-lists.ts';
import { RULE_EDITING, type RuleEditing } from '../../../rule-lab/editing/rule-editing.ts';
import { listsOf } from '../../../signals/prepare-providers.ts';
import { closed, FLAG, INTEGER, type LiteralSchema, listOf, nullable, TEXT } from '../../json-types.ts';
import { defineArea, endpointsWith } from '../endpoint.ts';
import { DATA_LIST, DOWNLOAD, LIST_CHANGE, OWN_LIST } from './lists.schema.ts';
import { presentPublished } from './rules.presenter.ts';
import { PUBLISHED } from './rules.schema.ts';

@injectable()
class ListServices {
  readonly own: OwnLists;

  constructor(
    @inject(LIST_REFRESHER) readonly refresher: ListRefresher,
    @inject(RULE_EDITING) editing: RuleEditing,
    @inject(ACTIVE_POLICY) private readonly policies: ActivePolicy,
    @inject(AuditTrail) readonly trail: AuditTrail,
    @inject(CLOCK) readonly clock: Clock,
  ) {
    const { source, jobs } = editing.parts;
    this.own = new OwnLists({ source, jobs, publisher: editing.publisher, clock });
  }

  /** The data of the providers, each list with the id of its provider. */
  get data(): readonly (readonly [provider: string, list: DataList])[] {
    return listsOf(this.policies.current.providers).toSorted(compareKeys);
  }
}

const define = endpointsWith<ListServices>();
const ANALYSTS = { operator: 'analyst' } as const;
const LISTS: LiteralSchema = closed({
  own: listOf(OWN_LIST),
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

/** The audit trail has no addresses: only the domain is written. */
function shownValue(change: ListChange): string {
  const value = change.kind === 'remove' ? change.value : change.entry.value;
  const at = value.lastIndexOf('@');
  return at === -1 ? value : `…${value.slice(at)}`;
}

const endpoints = {
  list_lists: define('GET /lists', {
    summary: 'Every list that affects decisions: allow and deny, downloaded lists, data of the providers',
    access: ANALYSTS,
    answer: { description: 'The state of each.', schema: LISTS },
    refusals: ['rules_changed', 'busy'],
    handle: async ({ own, refresher, data, clock }) => ({
      own: (await own.read()).map(presentOwnList),
      downloads: (await refresher.read()).map(presentDownload),
      data: data.map((list) => presentData(list, clock.now())),
    }),
  }),

  change_list: define('POST /lists/{list}/changes', {
    summary: 'Add, change or remove an entry of allow or deny, and wait until it is in force',
    description:
      'Lint and the tests of the rules run on the file first. Where Postern may not write the directory the answer is a patch.',
    access: ANALYSTS,
    body: LIST_CHANGE,
    answer: { description: 'Whether it is in force.', schema: PUBLISHED },
    refusals: ['list_changed', 'rules_changed', 'rules_refused', 'rules_not_written', 'busy'],
    handle: async (services, { params, body, person }) => {
      const list = ownListOf(params.list);
      const change = body.change as ListChange;
      const published = await services.own.change(list, body.version, change, person.email);
      if (published.is === 'in_force') {
        const { version } = published;
        const subject = `${list}: ${shownValue(change)}`;
        await services.trail.record({
          person,
          action: ACTION_OF[change.kind],
          subject,
          detail: { list, version },
        });
      }
      return presentPublished(published);
    },
  }),

  update_list: define('POST /lists/downloads/{list}/update', {
    summary: 'Download a list now, one that was rolled back too',
    access: ANALYSTS,
    body: closed({
      accept: {
        ...FLAG,
        default: false,
        description:
          'Accepts a list that was refused for how much it changed or for what it names: you have checked it.',
      },
    }),
    answer: {
      description: 'What it came to.',
      schema: closed({
        result: { enum: ['taken', 'unchanged', 'refused', 'failed'] },
        reason: nullable(TEXT),
        entries: INTEGER,
        added: INTEGER,
        removed: INTEGER,
      }),
    },
    handle: async (services, { params, body, person }) => {
      const { result, reason, entries, added, removed } = await services.refresher.updateNow(
        params.list,
        body.accept,
      );
      const detail = { result, accepted: body.accept };
      await services.trail.record({ person, action: 'list.updated', subject: params.list, detail });
      return { result, reason, entries, added, removed };
    },
  }),

  roll_list_back: define('POST /lists/downloads/{list}/rollback', {
    summary: 'Put the snapshot of a list back that was in force before',
    access: ANALYSTS,
    body: closed({}),
    answer: {
      description: 'What is in force now, or why nothing was changed.',
      schema: closed({
        is_done: FLAG,
        reason: nullable(TEXT),
        entries: nullable(INTEGER),
        taken_at: nullable(TEXT),
      }),
    },
    handle: async (services, { params, person }) => {
      const outcome = await services.refresher.rollBack(params.list);
      if (!outcome.ok) return { is_done: false, reason: outcome.reason, entries: null, taken_at: null };
      const { entries, taken_at, sha256 } = outcome.to;
      const detail = { to: sha256, from: outcome.from.sha256 };
      await services.trail.record({ person, action: 'list.rolled_back', subject: params.list, detail });
      return { is_done: true, reason: null, entries, taken_at };
    },
  }),
};

export const LISTS_AREA = defineArea({
  name: 'lists',
  description: 'The allow and deny lists, and the lists of domains that providers answer from.',
  services: ListServices,
  endpoints,
});

function presentDownload({ status, snapshots }: RefreshedList) {
  const { sha256: _sha256, earlier_snapshots: _earlier, ...shown } = status;
  return { ...shown, snapshots: snapshots.map(presentSnapshot) };
}

function presentSnapshot({
  sha256,
  taken_at,
  confirmed_at,
  entries,
  gone,
}: RefreshedList['snapshots'][number]) {
  return { sha256, taken_at, confirmed_at, entries, gone };
}

function presentOwnList({ entries, ...list }: StandingList) {
  return {
    ...list,
    entries: entries.map(({ isContested, isRepeated, ...entry }) => ({
      expires: null,
      ...entry,
      is_contested: isContested,
      is_repeated: isRepeated,
    })),
  };
}
