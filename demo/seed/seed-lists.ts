import type { Config } from '../../src/app/config/config.ts';
import { DirectoryListStore } from '../../src/lists/open-list-store.ts';
import { updateList } from '../../src/lists/update-list.ts';
import type { Download } from '../../src/net/http-download.ts';
import type { DnsResolver } from '../../src/provider-kit/index.ts';
import type { Random } from '../traffic/random.ts';
import { madeUp } from '../traffic/signups.ts';
import { momentOf } from './moments.ts';

/** Under `.invalid`, which no name server knows (RFC 2606): the demo's service will never get them anew. */
export const LIST_URLS = [
  'https://lists.partner.invalid/throw-away.txt',
  'https://feeds.old-vendor.invalid/domains.txt',
] as const;

/** For each list, the days before the end on which it was downloaded; the second list's last download is too old. */
const TAKEN: readonly (readonly number[])[] = [
  [4, 2, 0],
  [26, 19, 12],
];
const ENTRIES = 900;
const NEWS = 25;

/** Two lists of throw-away services with snapshots to go back to; one of them has got old, since its source is gone. */
export async function seedLists(
  config: Config,
  until: number,
  dns: DnsResolver,
  random: Random,
): Promise<void> {
  const store = new DirectoryListStore(config.dataDir);
  let at = until;
  const tools = {
    config: config.lists,
    store,
    dns,
    clock: { now: () => at },
    allowed: [],
    random: () => random.next(),
  };
  for (const [n, url] of LIST_URLS.entries()) {
    const domains = Array.from(
      { length: ENTRIES },
      () => `${madeUp(random, 9)}.${random.pick(['com', 'net'])}`,
    );
    for (const daysBefore of TAKEN[n] ?? []) {
      at = Math.min(until, momentOf(until, daysBefore, 4, 10 + n));
      domains.push(...Array.from({ length: NEWS }, () => `${madeUp(random, 9)}.com`));
      await updateList(url, { ...tools, download: async () => asDownload(domains) });
    }
  }
  at = until - 1_800_000;
  const gone: Download = { outcome: 'failed', reason: 'the name feeds.old-vendor.invalid does not exist' };
  await updateList(LIST_URLS[1], { ...tools, download: async () => gone });
}

function asDownload(domains: readonly string[]): Download {
  const bytes = Buffer.from(`${domains.join('\n')}\n`);
  return { outcome: 'fetched', bytes, contentType: 'text/plain', etag: null, lastModified: null };
}
