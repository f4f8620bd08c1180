import type { KeptSnapshot } from './list-state.ts';
import { type ListStore, withList } from './list-store.ts';

export type RollBack =
  | { readonly ok: true; readonly from: KeptSnapshot; readonly to: KeptSnapshot }
  /** Nothing was changed. */
  | { readonly ok: false; readonly reason: string };

/**
 * Puts the snapshot before the one in force back. The background leaves the list alone from then on: the source still
 * holds what was rolled back, or something made of it. An update by hand ends that.
 */
export function rollBackList(url: string, store: ListStore): Promise<RollBack> {
  return store.exclusively(async ({ state, save }): Promise<RollBack> => {
    const list = state.lists[url];
    const [from, ...earlier] = list?.snapshots ?? [];
    if (!list || !from) return { ok: false, reason: 'it was never downloaded' };
    const [to] = earlier;
    if (!to) return { ok: false, reason: 'there is no snapshot before the one in force' };
    if ((await store.readSnapshot(to)) === undefined) {
      return { ok: false, reason: `the snapshot before, ${to.file}, is damaged` };
    }
    await save(
      withList(state, url, {
        ...list,
        snapshots: earlier,
        // They belong to the download that is no longer in force.
        etag: null,
        last_modified: null,
        rolled_back: from.download_sha256,
        next_attempt_at: null,
      }),
    );
    return { ok: true, from, to };
  });
}
