import { createHash } from 'node:crypto';
import type { KeptSnapshot, ListState, ListStore } from '../../lists/list-store.ts';
import type { Compared } from './copy-rows.ts';

/** Copies what is known of every downloaded list with its snapshots, each by its own store, in place of what the target knew of it. */
export async function copyLists(from: ListStore, to: ListStore): Promise<Compared> {
  const { lists } = await from.read();
  const urls = Object.keys(lists).sort();
  for (const url of urls) {
    const list = lists[url];
    if (!list) continue;
    const texts = await soundSnapshots(from, list);
    await to.exclusively(async (change) => {
      for (const text of texts.values()) await change.writeSnapshot(list, text);
      // A damaged one is nothing to go back to.
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
