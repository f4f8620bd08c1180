import { AppError } from '../../../errors.ts';
import { OWN_LISTS, type OwnList, type WrittenEntry } from '../../../lists/own/list-file.ts';
import type { ListChange } from '../../../lists/own/own-lists.ts';
import { defineArea } from '../area.ts';
import { endpointsWith } from '../endpoint.ts';
import { closed, type LiteralSchema, listOf, nullable, TEXT } from '../json-types.ts';
import { presentPublished } from '../rules/draft.presenter.ts';
import { PUBLISHED } from '../rules/draft.schema.ts';
import { ListServices } from './list-services.ts';
import { presentData, presentDownload, presentOwnList } from './lists.presenter.ts';
import { DATA_LIST, DOWNLOAD, LIST_CHANGE, OWN_LIST } from './lists.schema.ts';

const define = endpointsWith<ListServices>();
const ANALYSTS = { operator: 'analyst' } as const;
const LISTS: LiteralSchema = closed({
  own: listOf(OWN_LIST),
  downloads: listOf(DOWNLOAD),
  data: listOf(DATA_LIST),
});

const showLists = define({
  method: 'GET',
  path: '/lists',
  operationId: 'list_lists',
  summary: 'Every list that decides something: the own ones, the downloaded ones, those of the providers',
  access: ANALYSTS,
  answer: { status: 200, description: 'How each stands.', schema: LISTS },
  refusals: ['rules_changed', 'busy'],
  handle: async ({ own, downloads, data, clock }) => ({
    own: (await own.read()).map(presentOwnList),
    downloads: (await downloads.read()).map(presentDownload),
    data: data.map((list) => presentData(list, clock.now())),
  }),
});

const changeList = define({
  method: 'POST',
  path: '/lists/{list}/changes',
  operationId: 'change_list',
  summary: 'Add, change or remove an entry of allow or deny, and wait until it is in force',
  description:
    'Lint and the tests of the rules judge the file first. Where nobody may write the directory the answer is a patch.',
  access: ANALYSTS,
  body: LIST_CHANGE,
  answer: { status: 200, description: 'Where it went.', schema: PUBLISHED },
  refusals: ['list_changed', 'rules_changed', 'rules_refused', 'rules_not_written', 'busy'],
  handle: async (services, { params, body, person }) => {
    const list = ownListOf(params.list);
    const change = readChange(body.change);
    const published = await services.own.change(list, body.version, change, person.email);
    if (published.is === 'in_force') {
      const { version } = published;
      await services.note(person, ACTION_OF[change.kind], `${list}: ${shownValue(change)}`, {
        list,
        version,
      });
    }
    return presentPublished(published);
  },
});

const updateDownload = define({
  method: 'POST',
  path: '/lists/downloads/{list}/update',
  operationId: 'update_list',
  summary: 'Download a list now, one that was rolled back too',
  access: ANALYSTS,
  body: closed({
    accept: {
      type: 'boolean',
      default: false,
      description: 'Takes what was refused for its change, or for what it names: you have looked at it.',
    },
  }),
  answer: {
    status: 200,
    description: 'What it came to.',
    schema: closed({
      result: { enum: ['taken', 'unchanged', 'refused', 'failed'] },
      reason: nullable(TEXT),
      entries: { type: 'integer' },
      added: { type: 'integer' },
      removed: { type: 'integer' },
    }),
  },
  handle: async (services, { params, body, person }) => {
    const { result, reason, entries, added, removed } = await services.downloads.update(
      params.list,
      body.accept,
    );
    await services.note(person, 'list.updated', params.list, { result, accepted: body.accept });
    return { result, reason, entries, added, removed };
  },
});

const rollDownloadBack = define({
  method: 'POST',
  path: '/lists/downloads/{list}/rollback',
  operationId: 'roll_list_back',
  summary: 'Put the snapshot of a list back that was in force before',
  access: ANALYSTS,
  body: closed({}),
  answer: {
    status: 200,
    description: 'What is in force now, or why nothing was changed.',
    schema: closed({
      is_done: { type: 'boolean' },
      reason: nullable(TEXT),
      entries: nullable({ type: 'integer' }),
      taken_at: nullable(TEXT),
    }),
  },
  handle: async (services, { params, person }) => {
    const outcome = await services.downloads.rollBack(params.list);
    if (!outcome.ok) return { is_done: false, reason: outcome.reason, entries: null, taken_at: null };
    const { entries, taken_at, sha256 } = outcome.to;
    await services.note(person, 'list.rolled_back', params.list, { to: sha256, from: outcome.from.sha256 });
    return { is_done: true, reason: null, entries, taken_at };
  },
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

interface GivenChange {
  readonly kind: ListChange['kind'];
  readonly value?: string;
  readonly entry?: Omit<WrittenEntry, 'expires'> & { readonly expires?: string | undefined };
}

/** As the schema lets it through; an absent day is no member, or it would be written. */
function readChange(given: GivenChange): ListChange {
  const { kind, value = '' } = given;
  if (kind === 'remove') return { kind, value };
  const { expires, ...rest } = given.entry ?? { value: '', reason: '', owner: '' };
  const entry = { ...rest, ...(expires !== undefined && { expires }) };
  return kind === 'add' ? { kind, entry } : { kind, value, entry };
}

/** The trail quotes no address: its domain must do. */
function shownValue(change: ListChange): string {
  const value = change.kind === 'remove' ? change.value : change.entry.value;
  const at = value.lastIndexOf('@');
  return at === -1 ? value : `…${value.slice(at)}`;
}

export const LISTS_AREA = defineArea({
  name: 'lists',
  description: 'Who is never blocked and who always, and the lists of domains that providers answer from.',
  services: ListServices,
  endpoints: [showLists, changeList, updateDownload, rollDownloadBack],
});
