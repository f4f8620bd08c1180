import type { Logger } from '../observability/logger.ts';
import type { ListRecord as DatedRecord, DownloadedList } from '../provider-kit/index.ts';
import { type ListStore, type ListsState, readBest, type SoundSnapshot } from './list-store.ts';
import { dayText, snapshotRecords } from './snapshot.ts';

/** Loads the downloaded lists that are in force, for the providers. */
export class DownloadedLists {
  #loaded = '';

  constructor(
    private readonly store: Pick<ListStore, 'read' | 'readSnapshot'>,
    private readonly urls: readonly string[],
    private readonly log: Logger,
  ) {}

  /** Whether the snapshots in force differ from the ones that were loaded last. */
  isNews(state: ListsState): boolean {
    return this.#loaded !== this.#inForce(state);
  }

  /** Never rejects: a list that cannot be read is left out and logged, so that it does not stop a start. */
  async load(): Promise<readonly DownloadedList[]> {
    if (this.urls.length === 0) return [];
    try {
      const state = await this.store.read();
      const found: DownloadedList[] = [];
      for (const url of this.urls) {
        const list = state.lists[url];
        if (!list || list.snapshots.length === 0) continue;
        const best = await readBest(this.store, list);
        if (best?.kept !== list.snapshots[0]) {
          this.log.error(
            { list: list.id, instead: best?.kept.taken_at ?? null },
            'the snapshot of a list is damaged: an older one is taken, or none',
          );
        }
        if (best) found.push(handOver(list.id, best));
      }
      this.#loaded = this.#inForce(state);
      return found;
    } catch (err) {
      this.log.error({ err }, 'downloaded lists cannot be read: checks go without them');
      // They are news at the next change of the state, which every attempt to update a list makes.
      this.#loaded = '';
      return [];
    }
  }

  #inForce(state: ListsState): string {
    return this.urls.map((url) => state.lists[url]?.snapshots[0]?.sha256 ?? '').join(' ');
  }
}

/** A snapshot as providers read it. */
export function handOver(name: string, { kept, text }: SoundSnapshot): DownloadedList {
  const date = kept.confirmed_at.slice(0, 10);
  return {
    name,
    version: kept.sha256.slice(0, 12),
    date,
    entries: kept.entries,
    size: kept.entries + kept.gone,
    *records() {
      const days = new Map<number, string>();
      const written = (day: number) => {
        const known = days.get(day) ?? dayText(day);
        days.set(day, known);
        return known;
      };
      for (const [domain, { firstSeen, lastSeen }] of snapshotRecords(text)) {
        const record: DatedRecord = {
          firstSeen: written(firstSeen),
          lastSeen: lastSeen === null ? date : written(lastSeen),
        };
        yield [domain, record] as const;
      }
    },
  };
}
