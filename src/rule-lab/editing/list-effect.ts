import { isDeepStrictEqual } from 'node:util';
import type { JudgingTools } from '../../checks/rule-judge.ts';
import { canonicalDomainOf } from '../../email/canonical.ts';
import { readAddress } from '../../email/read-address.ts';
import { handOver } from '../../lists/downloaded-lists.ts';
import { idOf, type SoundSnapshot } from '../../lists/list-store.ts';
import {
  type Address,
  closestSuffix,
  type DownloadedList,
  type Findings,
  listKey,
  unknown,
} from '../../provider-kit/index.ts';
import type { Facts } from '../../rules/decision.ts';
import { entryKey } from '../../rules/list-entries.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import type { PreparedProviders } from '../../signals/prepare-providers.ts';
import type { SignalCollector } from '../../signals/signal-collector.ts';
import type { BySide, Side } from '../backtest/case.ts';
import type { ComparedSet } from '../backtest/run-backtest.ts';
import { type EffectInputs, judgeTouched, type ListEffect } from './list-flips.ts';

export interface ListEffectOrder {
  /** The rules in force; `candidate` is the same with other lists. */
  readonly base: RuleFiles;
  readonly candidate: RuleFiles;
  /** Canonical addresses in the lists of either side, by the hash that records hold of them. */
  readonly addresses: ReadonlyMap<string, string>;
  /** A snapshot of a downloaded list that takes the place of the one in force. */
  readonly download: ChangedDownload | null;
  readonly days: number;
}

export interface ChangedDownload extends SoundSnapshot {
  readonly url: string;
}

export interface ListEffectTools extends JudgingTools {
  /** The downloaded lists in force. */
  readonly downloads: () => Promise<readonly DownloadedList[]>;
}

/**
 * Judges recorded checks by both sides, with the facts that providers find in each side's lists. These facts are made anew from the
 * record's canonical domain and hash of the address; all other facts are as they were recorded.
 */
export async function judgeLists(
  inputs: EffectInputs,
  order: Pick<ListEffectOrder, 'addresses' | 'download'>,
  tools: ListEffectTools,
): Promise<ListEffect> {
  const { collector } = tools;
  const { sets } = inputs;
  const downloads = await tools.downloads();
  const changed = withChanged(downloads, order.download);
  const names = namesConcerned(sets.base.ruleSet.lists, sets.candidate.ruleSet.lists);
  const prepared = await prepareBoth(tools, sets, { base: downloads, candidate: changed });
  const inBase = findInLists(collector, prepared.base);
  const inCandidate = findInLists(collector, prepared.candidate);
  const effect = await judgeTouched(inputs, async ({ domain, addressHmac, facts }) => {
    if (domain === null) return 'no_domain';
    const address = addressOf(addressHmac, domain, order, names);
    if (!address) return null;
    const [base, candidate] = [await inBase(address, facts), await inCandidate(address, facts)];
    if (isDeepStrictEqual(base, candidate)) return null;
    return { base: { ...facts, ...base }, candidate: { ...facts, ...candidate } };
  });
  return { ...effect, unseen: names.unseen };
}

async function prepareBoth(
  { collector, providerOptions: options }: ListEffectTools,
  sets: BySide<ComparedSet>,
  downloads: BySide<readonly DownloadedList[]>,
) {
  const inputsOf = (side: Side) => {
    const { signals: thresholds, lists } = sets[side].ruleSet;
    return { options, thresholds, lists, downloads: async () => downloads[side] };
  };
  const base = await collector.prepare(inputsOf('base'));
  const candidate = await collector.prepare(inputsOf('candidate'), base, {
    downloads: downloads.base !== downloads.candidate,
  });
  return { base, candidate };
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

/**
 * The address to judge a check by, with the local part `x` for all that no entry names; undefined where changed entries cannot concern the
 * check. A changed download may concern any check: its word on a domain counts for the domains beside it under one host.
 */
function addressOf(
  hmac: string | null,
  domain: string,
  { addresses, download }: Pick<ListEffectOrder, 'addresses' | 'download'>,
  names: NamesConcerned,
): Address | undefined {
  const known = hmac === null ? undefined : addresses.get(hmac);
  if (download === null && !names.concern(domain, known)) return undefined;
  const reading = readAddress(known ?? `x@${domain}`);
  return reading.ok ? reading.address : undefined;
}

/** Returns what the providers that read lists find in them about an address. Facts that they need of other providers are as recorded. */
function findInLists(collector: SignalCollector, prepared: PreparedProviders) {
  const readers = collector.providers.filter(({ id, stage }) => {
    const { readsLists = false, readsDownloads = false } = prepared.byId.get(id) ?? {};
    return stage === 'local' && (readsLists || readsDownloads);
  });
  const ids = readers.flatMap(({ facts }) => facts.map(({ id }) => id));
  const needs = readers.flatMap((reader) => reader.needs ?? []);
  const find = async (address: Address, given: Findings['facts']): Promise<Facts> => {
    const { facts } = await collector.collectLocal(address, prepared, { facts: given });
    return Object.fromEntries(ids.map((id) => [id, facts[id] ?? null]));
  };
  /** Cache: addresses of a domain share an answer, unless an address stands in a list itself. */
  const known = new Map<string, Facts>();
  return async (address: Address, recorded: Facts): Promise<Facts> => {
    const given = Object.fromEntries(needs.map((id) => [id, recorded[id] ?? unknown('not_run')]));
    const key = JSON.stringify([address.canonical.address, given]);
    const found = known.get(key) ?? (await find(address, given));
    known.set(key, found);
    return found;
  };
}

type Lists = RuleSet['lists'];

type NamesConcerned = ReturnType<typeof namesConcerned>;

/** The domains and addresses that a change of the own lists may concern: checks of all others need not be judged again. */
function namesConcerned(before: Lists, after: Lists) {
  const entries = [...changedEntries(before.allow, after.allow), ...changedEntries(before.deny, after.deny)];
  const addresses = new Set(entries.filter((key) => key.includes('@')));
  const domains = entries.filter((key) => !key.includes('@')).map((key) => key.replace(/^\./, ''));
  const names = new Set(domains);
  return {
    /** `known`: the canonical address, where it is one that stands in a list. */
    concern: (domain: string, known: string | undefined) =>
      (known !== undefined && addresses.has(listKey(known))) || closestSuffix(domain, names) !== undefined,
    /** Domains of entries whose canonical domain is another one, which is the one in records. */
    unseen: domains.filter((domain) => canonicalDomainOf(domain) !== domain).sort(),
  };
}

/** Keys that only one side has. */
function changedEntries(before: Lists['allow'], after: Lists['allow']): readonly string[] {
  const keysOf = (list: Lists['allow']) => new Set(list.map(({ value }) => entryKey(value)));
  return [...keysOf(before).symmetricDifference(keysOf(after))];
}
