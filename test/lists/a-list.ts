import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { idOf, type KeptSnapshot, type ListStore, readBest } from '../../src/lists/list-store.ts';
import { DirectoryListStore } from '../../src/lists/open-list-store.ts';
import { snapshotRecords } from '../../src/lists/snapshot.ts';
import { updateList } from '../../src/lists/update-list.ts';
import type { Download, Validators } from '../../src/net/http-download.ts';
import { fakeDns } from '../../src/provider-kit/testing/index.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

export const URL = 'https://lists.example/a.txt?token=secret';
export const DAY_MS = 86_400_000;
export const START = Date.parse('2026-11-01T12:00:00Z');
export const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `d${from + i}.org`);

export const NO_DNS = fakeDns();

/** A store, and a source whose next answer the test sets. */
export function setUp(other?: ListStore) {
  const dataDir = temporaryDirectory();
  const store = other ?? new DirectoryListStore(dataDir);
  const clock = { time: START, now: () => clock.time };
  const asked: Validators[] = [];
  const source: { answer: Download } = { answer: { outcome: 'failed', reason: 'nothing set' } };
  const tools = {
    store,
    clock,
    config: {
      ...{ urls: [], refreshHours: 6, maxBytes: 1_000_000, maxChangePercent: 10, staleAfterHours: 72 },
      allowPrivateAddresses: false,
    },
    dns: NO_DNS,
    allowed: [],
    download: async (_: string, validators: Validators) => {
      asked.push(validators);
      return source.answer;
    },
    random: () => 0.5,
  };
  return {
    ...{ dataDir, store, clock, asked, tools, source },
    serve(domains: readonly string[], etag: string | null = null) {
      const bytes = Buffer.from(`${domains.join('\n')}\n`);
      source.answer = { outcome: 'fetched', bytes, contentType: 'text/plain', etag, lastModified: null };
    },
    update: (accepted = false, expected?: string) => updateList(URL, tools, { accepted, expected }),
    list: async () => (await store.read()).lists[URL],
    records: async () => {
      const list = (await store.read()).lists[URL];
      const best = list && (await readBest(store, list));
      return Object.fromEntries(snapshotRecords(best?.text ?? ''));
    },
    /** Overwrites the file of a snapshot, as a disk or another program would. */
    damage(kept: KeptSnapshot | undefined, text: string) {
      const file = `${idOf(URL)}.${kept?.sha256.slice(0, 16)}.txt`;
      writeFileSync(join(dataDir, 'lists', file), text, { flag: 'r+' });
      truncateSync(join(dataDir, 'lists', file), text.length);
    },
    files: () => readdirSync(join(dataDir, 'lists')).sort(),
  };
}
