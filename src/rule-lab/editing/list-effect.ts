import { isDeepStrictEqual } from 'node:util';
import type { ProviderOptions } from '../../app/config/config.ts';
import { readAddress } from '../../email/read-address.ts';
import { DAY_MS, isoTime } from '../../lib/time.ts';
import { handOver } from '../../lists/downloaded-lists.ts';
import { idOf, type SoundSnapshot } from '../../lists/list-store.ts';
import type { DownloadedList } from '../../provider-kit/index.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import type { PreparedProviders } from '../../signals/prepare-providers.ts';
import type { SignalCollector } from '../../signals/signal-collector.ts';
import type { RecordedCheck, ReplayQueries } from '../../storage/ports.ts';
import { type BySide, factsReader } from '../backtest/case.ts';
import { Judge } from '../backtest/judge.ts';
import { type NamesConcerned, namesConcerned } from './concerned-names.ts';
import { FlipTally } from './flip-tally.ts';
import { ListFacts } from './list-facts.ts';
import { lettingOthersWork, MOST_CHECKS } from './replay.ts';

export interface ListEffectOrder {
  /** The rules in force, and the same with other lists. */
  readonly base: RuleFiles;
  readonly candidate: RuleFiles;
  /** Canonical addresses that stand in either's lists, by the hash that records hold of them. */
  readonly addresses: ReadonlyMap<string, string>;
  /** A snapshot of a downloaded list that takes the place of the one in force. */
  readonly download: ChangedDownload | null;
  readonly days: number;
}

export interface ChangedDownload extends SoundSnapshot {
  readonly url: string;
}

export interface ListEffectTools {
  readonly collector: SignalCollector;
  readonly providerOptions: ProviderOptions;
  /** Those in force. */
  readonly downloads: () => Promise<readonly DownloadedList[]>;
}

interface Inputs {
  readonly order: ListEffectOrder;
  readonly ruleSets: BySide<RuleSet>;
  readonly records: Pick<ReplayQueries, 'count' | 'pages'>;
  readonly nowMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What a change of lists would have done to recorded checks, in the names that leave the process. */
export type ListEffect = Awaited<ReturnType<ListEffects['of']>>;

/**
 * Judges recorded checks twice, with the facts that providers would find in the lists of either side. A record has the canonical domain
 * and a hash of the address, from which both sides are made anew; all other facts are as they were recorded.
 */
export class ListEffects {
  /** Of the lists in force: read once while they stay as they are. */
  #prepared: { readonly providers: PreparedProviders; readonly versions: string } | undefined;

  constructor(private readonly tools: ListEffectTools) {}

  async of({ order, ruleSets, records, nowMs, signal }: Inputs) {
    const { collector } = this.tools;
    const downloads = await this.tools.downloads();
    const changed = withChanged(downloads, order.download);
    const names = namesConcerned(
      { base: ruleSets.base.lists, candidate: ruleSets.candidate.lists },
      order.download && { before: downloads, after: changed },
    );
    const prepared = await this.#prepare(ruleSets, { base: downloads, candidate: changed });
    const facts = {
      base: new ListFacts(collector, prepared.base),
      candidate: new ListFacts(collector, prepared.candidate),
    };
    const tally = new EffectTally(names, order.addresses, facts, new Judge(ruleSets));
    const read = factsReader(collector.catalogue);
    const since = isoTime(nowMs - order.days * DAY_MS);
    for await (const page of lettingOthersWork(records.pages({ since, newest: MOST_CHECKS }))) {
      signal?.throwIfAborted();
      for (const check of page) await tally.add(check, read);
    }
    // `of`: in those days, more than `checks` where only the newest were looked at.
    return { days: order.days, since, of: await records.count({ since }), ...tally.result() };
  }

  async #prepare(ruleSets: BySide<RuleSet>, downloads: BySide<readonly DownloadedList[]>) {
    const { collector, providerOptions: options } = this.tools;
    const inputsOf = (side: keyof typeof downloads) => {
      const { signals: thresholds, lists } = ruleSets[side];
      return { options, thresholds, lists, downloads: async () => downloads[side] };
    };
    const versions = JSON.stringify(downloads.base.map(({ name, version, date }) => [name, version, date]));
    const base = await collector.prepare(inputsOf('base'), this.#prepared?.providers, {
      downloads: this.#prepared?.versions !== versions,
    });
    this.#prepared = { providers: base, versions };
    const candidate = await collector.prepare(inputsOf('candidate'), base, {
      downloads: downloads.base !== downloads.candidate,
    });
    return { base, candidate };
  }
}

function withChanged(
  downloads: readonly DownloadedList[],
  download: ChangedDownload | null,
): readonly DownloadedList[] {
  if (download === null) return downloads;
  const list = handOver(idOf(download.url), download);
  const isThere = downloads.some(({ name }) => name === list.name);
  return isThere ? downloads.map((each) => (each.name === list.name ? list : each)) : [...downloads, list];
}

class EffectTally {
  #checks = 0;
  #touched = 0;
  /** Of these nothing can be told: their records hold no domain. */
  #withoutDomain = 0;
  readonly #flips = new FlipTally();

  constructor(
    private readonly names: NamesConcerned,
    private readonly addresses: ReadonlyMap<string, string>,
    private readonly facts: BySide<ListFacts>,
    private readonly judge: Judge,
  ) {}

  async add(check: RecordedCheck, read: ReturnType<typeof factsReader>): Promise<void> {
    this.#checks += 1;
    const { domain, address_hmac } = check;
    if (domain === null) {
      this.#withoutDomain += 1;
      return;
    }
    const known = address_hmac === null ? undefined : this.addresses.get(address_hmac);
    if (!this.names.concern(domain, known)) return;
    // A local part that stands for all that no entry names.
    const reading = readAddress(known ?? `x@${domain}`);
    if (!reading.ok) return;
    const recorded = read(check, check.facts);
    const found = {
      base: this.facts.base.of(reading.address, recorded),
      candidate: this.facts.candidate.of(reading.address, recorded),
    };
    if (isDeepStrictEqual(found.base, found.candidate)) return;
    this.#touched += 1;
    this.#flips.add(
      check,
      await this.judge.judge({ ...recorded, ...found.base }, { ...recorded, ...found.candidate }),
    );
  }

  result() {
    return {
      checks: this.#checks,
      touched: this.#touched,
      without_domain: this.#withoutDomain,
      // Names under which records keep no check: they hold the canonical domain.
      unseen: this.names.unseen,
      flips: this.#flips.result(),
    };
  }
}
