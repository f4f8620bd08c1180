import { createHash } from 'node:crypto';
import type { KeptSnapshot, ListState, ListStore } from '../../lists/list-store.ts';
import type { Compared } from './copy-rows.ts';

/** Copies the state and the snapshots of every downloaded list from one store to another. Replaces the target's state of these lists. */
export async function copyLists(from: ListStore, to: ListStore): Promise<Compared> {
  const { lists } = await from.read();
  const urls = Object.keys(lists).sort();
  for (const url of urls) {
    const list = lists[url];
    if (!list) continue;
    const texts = await soundSnapshots(from, list);
    await to.exclusively(async (change) => {
      for (const text of texts.values()) await change.writeSnapshot(list, text);
      // Without damaged snapshots: nothing could be restored from them.
      await change.save(url, { ...list, snapshots: [...texts.keys()] });
    });
  }
  return { name: 'downloaded lists', from: await digestOf(from, urls), to: await digestOf(to, urls) };
}

async function soundSnapshots(store: ListStore, list: ListState): Promise<ReadonlyMap<KeptSnapshot, string>> {
  const sound = new Map<KeptSnapshot, string>();
  for (const kept of list.snapshots) {
    const text = await store.readSnapshot(list, kept);
    if (text !== undefined) sound.set(kept, text);
  }
  return sound;
}

async function digestOf(store: ListStore, urls: readonly string[]) {
  const { lists } = await store.read();
  const digest = createHash('sha256');
  let rows = 0;
  for (const url of urls) {
    const list = lists[url];
    if (!list) continue;
    const snapshots = [...(await soundSnapshots(store, list)).keys()];
    digest.update(`${JSON.stringify([url, { ...list, snapshots }])}\n`);
    rows += 1;
  }
  return { rows, sha256: digest.digest('hex') };
}
