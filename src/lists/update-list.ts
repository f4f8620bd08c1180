import { hash } from 'node:crypto';
import type { Config } from '../app/config/config.ts';
import { AppError } from '../errors.ts';
import { HOUR_MS, isoTime } from '../lib/time.ts';
import { type Download, download } from '../net/http-download.ts';
import type { Clock, DnsResolver, ListEntry } from '../provider-kit/index.ts';
import { Canaries, judgeDownload, readDomainList } from './judge-download.ts';
import {
  emptyState,
  type KeptSnapshot,
  type ListChange,
  type ListResult,
  type ListState,
  type ListStore,
  readBest,
} from './list-store.ts';
import { dayOf, readSnapshot, type Snapshot, writeSnapshot } from './snapshot.ts';

interface UpdateTools {
  readonly store: ListStore;
  readonly clock: Clock;
  readonly config: Config['lists'];
  readonly dns: DnsResolver;
  /** The entries of `allow.yaml` that are in force. */
  readonly allowed: readonly Pick<ListEntry, 'value'>[];
  /** For tests. `random` returns 0 to 1, 1 excluded. */
  readonly download?: typeof download;
  readonly random?: () => number;
}

/** What a person has looked at before an update by hand. */
export interface LookedAt {
  /** Neither canaries nor a large change stop the update. */
  readonly accepted?: boolean | undefined;
  /** SHA-256 of the download, decompressed: no other download is taken. */
  readonly expected?: string | undefined;
}

export type ListUpdate = Awaited<ReturnType<typeof updateList>>;

/** The snapshot in force, and two to go back to, in case two bad downloads came in a row. */
const KEPT_SNAPSHOTS = 3;

/**
 * Downloads a list, judges it, and puts it in force or says why not; the attempt is on record either way. Throws AppError
 * `list_changed`, without a record, where the source does not hold `expected`; rejects when the store cannot be used. A long list takes
 * a second of work: a service runs this in a process of its own (`update-in-process.ts`).
 */
export async function updateList(
  url: string,
  tools: UpdateTools,
  { accepted = false, expected }: LookedAt = {},
) {
  const { store, clock, config, random = Math.random } = tools;
  const asked = (await store.read()).lists[url] ?? emptyState(url);
  // An accepted download must be fetched again: "not modified" would bring no content.
  const came = await fetchList(url, asked, tools, { isAnew: accepted });
  return store.exclusively(async (lists) => {
    const before = lists.state.lists[url] ?? emptyState(url);
    const answer = { came, accepted, expected, asked, before, lists };
    const { result, change, ...told } = await weigh(answer, tools);
    const { reason = null, added = 0, removed = 0 } = told;
    const at = clock.now();
    const list: ListState = {
      ...before,
      ...change,
      last_attempt: { at: isoTime(at), result, reason },
      next_attempt_at: isoTime(at + waitMs(result, config, random)),
    };
    await lists.save(url, list);
    // `entries`: in the snapshot in force now. `added` and `removed`: since the snapshot before.
    return { url, id: list.id, result, reason, entries: list.snapshots[0]?.entries ?? 0, added, removed };
  });
}

/** What an update would put in force; nothing is stored. */
export type ListPreview = Awaited<ReturnType<typeof previewList>>;

/** Returns what `updateList` would do now. Rejects only when the store cannot be used. */
export async function previewList(url: string, tools: UpdateTools, accepted: boolean) {
  const { store } = tools;
  const before = (await store.read()).lists[url] ?? emptyState(url);
  const came = await fetchList(url, before, tools, { isAnew: true });
  let text = '';
  const lists: Answer['lists'] = {
    readSnapshot: (list, snapshot) => store.readSnapshot(list, snapshot),
    writeSnapshot: async (_list, written) => {
      text = written;
      return hash('sha256', written);
    },
  };
  const answer = { came, accepted, expected: undefined, asked: before, before, lists };
  const { result, change, reason = null, added = 0, removed = 0 } = await weigh(answer, tools);
  const [kept] = change?.snapshots ?? [];
  const isNew = result === 'taken' && kept !== undefined;
  return {
    result,
    reason,
    added,
    removed,
    entries: (kept ?? before.snapshots[0])?.entries ?? 0,
    // SHA-256 of the download; null where it is refused or failed.
    download: kept?.download_sha256 ?? null,
    snapshot: isNew ? { url, kept, text } : null,
  };
}

/** Fetches only content that is newer than the snapshot in force, unless `isAnew`. */
async function fetchList(
  url: string,
  asked: ListState,
  { store, config, dns, download: get = download }: UpdateTools,
  { isAnew }: { readonly isAnew: boolean },
): Promise<Download> {
  const best = await readBest(store, asked);
  // Without the stored content, "not modified" would be of no use.
  const canCompare = !isAnew && best !== undefined && best.kept === asked.snapshots[0];
  const { etag, last_modified } = canCompare ? asked : { etag: null, last_modified: null };
  const { allowPrivateAddresses, maxBytes } = config;
  const how = { dns, allowPrivateAddresses, maxBytes, timeoutMs: TIMEOUT_MS };
  return get(url, { etag, lastModified: last_modified }, how);
}

interface Answer extends Required<LookedAt> {
  readonly came: Download;
  readonly accepted: boolean;
  /** The list's state when the download began (`asked`), and when it was complete (`before`). */
  readonly asked: ListState;
  readonly before: ListState;
  readonly lists: Pick<ListChange, 'readSnapshot' | 'writeSnapshot'>;
}

interface Outcome {
  readonly result: ListResult;
  /** Why, where it was refused or failed. */
  readonly reason?: string;
  readonly added?: number;
  readonly removed?: number;
  readonly change?: Partial<ListState>;
}

async function weigh(answer: Answer, { clock, allowed, config }: UpdateTools): Promise<Outcome> {
  const { came, accepted, expected, asked, before, lists } = answer;
  if (came.outcome === 'failed' || came.outcome === 'refused') {
    return { result: came.outcome, reason: came.reason };
  }
  const now = isoTime(clock.now());
  const [inForce] = asked.snapshots;
  const [newest] = before.snapshots;
  const digest = came.outcome === 'fetched' ? hash('sha256', came.bytes) : (inForce?.download_sha256 ?? '');
  if (expected !== undefined && digest !== expected) throw new AppError('list_changed');
  if (newest?.sha256 !== inForce?.sha256 && newest?.download_sha256 !== digest) {
    // Above all, a download under way must not undo a rollback.
    return { result: 'failed', reason: 'another process changed the list during the download' };
  }
  if (came.outcome === 'not_modified') return unchanged(before, now);
  if (digest === before.rolled_back && !accepted) {
    return { result: 'refused', reason: 'it is what was rolled back' };
  }
  const validators = { etag: came.etag, last_modified: came.lastModified };
  const best = await readBest(lists, before);
  if (best && best.kept === newest && best.kept.download_sha256 === digest && !accepted) {
    return unchanged(before, now, validators);
  }
  const reading = readDomainList(came.bytes, came.contentType);
  if (!reading.ok) return { result: 'refused', reason: reading.reason };
  const previous: Snapshot = best ? readSnapshot(best.text) : new Map();
  const judgement = judgeDownload({
    domains: reading.domains,
    previous,
    confirmed: dayOf(Date.parse(best?.kept.confirmed_at ?? now)),
    today: dayOf(clock.now()),
    leftOut: before.left_out,
    accepted,
    canaries: new Canaries(allowed),
    maxChangePercent: config.maxChangePercent,
  });
  if (!judgement.ok) return { result: 'refused', reason: judgement.reason };

  const { merge, leftOut } = judgement;
  const { listed: entries, gone, added, removed } = merge;
  const taken: KeptSnapshot = {
    sha256: await lists.writeSnapshot(before, writeSnapshot(merge.snapshot)),
    download_sha256: digest,
    taken_at: now,
    confirmed_at: now,
    entries,
    gone,
  };
  // A rollback cannot go back to a damaged snapshot.
  const sound = best ? before.snapshots.slice(before.snapshots.indexOf(best.kept)) : [];
  const others = sound.filter(({ sha256 }) => sha256 !== taken.sha256);
  return {
    result: 'taken',
    added,
    removed,
    change: {
      ...validators,
      snapshots: [taken, ...others].slice(0, KEPT_SNAPSHOTS),
      left_out: leftOut,
      rolled_back: null,
    },
  };
}

/** The source holds the download in force: confirms the snapshot, and ends a rollback. */
function unchanged(
  { snapshots: [inForce, ...earlier] }: ListState,
  now: string,
  validators: Partial<ListState> = {},
): Outcome {
  const snapshots = inForce ? [{ ...inForce, confirmed_at: now }, ...earlier] : [];
  return { result: 'unchanged', change: { ...validators, snapshots, rolled_back: null } };
}

/** Wait after a failed download: short enough for a brief outage, long enough to spare a server in trouble. */
export const RETRY_MS = HOUR_MS / 2;
/** Timeout of a download: enough for the largest list over a slow line. */
const TIMEOUT_MS = 60_000;
/** In both directions: services that were started together must not ask together for ever. */
const JITTER = 0.1;

/** The longest wait between two attempts. */
export function longestWaitMs({ refreshHours }: Config['lists']): number {
  return refreshHours * HOUR_MS * (1 + JITTER);
}

/** The wait before the next attempt in the background. */
export function waitMs(result: ListResult, { refreshHours }: Config['lists'], random: () => number): number {
  const usual = refreshHours * HOUR_MS;
  const wait = result === 'failed' ? Math.min(RETRY_MS, usual) : usual;
  return Math.round(wait * (1 - JITTER + 2 * JITTER * random()));
}
