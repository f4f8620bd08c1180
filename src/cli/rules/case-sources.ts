import { LabelWords } from '../../labels/label.ts';
import type { Format } from '../../lib/row-file.ts';
import { RowFaults } from '../../lib/row-file.ts';
import { DownloadedLists } from '../../lists/downloaded-lists.ts';
import { ListStore } from '../../lists/list-store.ts';
import { type BySide, recordedCases } from '../../rule-lab/backtest/case.ts';
import { collectForBoth, openLabelledFile } from '../../rule-lab/backtest/labelled-file.ts';
import { type CaseSource, type ComparedSet, unseenByReplay } from '../../rule-lab/backtest/run-backtest.ts';
import { readProviderValues } from '../../storage/sqlite/read-provider-values.ts';
import { findAccount } from '../accounts.ts';
import { openInput } from '../open-input.ts';
import { quietLog, withStorage } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { CannotRun, type Shell } from '../shell.ts';
import type { OpenedRules } from './open-rules.ts';

/** Which cases; those of a file where one is named. */
export interface CaseOptions extends CommonOptions {
  readonly since?: string;
  readonly until?: string;
  readonly account?: string;
  readonly file?: string;
  readonly format?: Format;
  readonly columns?: readonly string[];
  readonly good?: readonly string[];
  readonly bad?: readonly string[];
  readonly live?: boolean;
}

/** Opens the cases that the options name, for as long as `work` takes. */
export async function withCases<Result>(
  shell: Shell,
  opened: OpenedRules,
  sets: BySide<ComparedSet>,
  options: CaseOptions,
  work: (source: CaseSource) => Promise<Result>,
): Promise<Result> {
  const { since, until, account, file } = options;
  if (file !== undefined) return withCasesOfFile(shell, opened, sets, { ...options, file }, work);
  return withStorage(shell, options, async ({ loaded, storage }) => {
    if (since !== undefined && until !== undefined && since >= until) {
      throw new CannotRun('--since is not before --until: no check lies between');
    }
    const accountId = account && findAccount(await storage.accounts.list(), account, CannotRun).id;
    const selection = { since, until, accountId };
    return await work({
      kind: 'recorded',
      name: loaded.config.storage.url,
      cases: recordedCases(storage.checks.pages(selection)),
      // Only a bar on a terminal needs the count, which takes a second for a million checks.
      length: shell.terminal && (await storage.checks.count(selection)),
      position: (cases) => cases,
      caveats: () => unseenByReplay(sets),
      leftOut: () => 0,
    });
  });
}

async function withCasesOfFile<Result>(
  shell: Shell,
  { loaded, collector, providerOptions, stores }: OpenedRules,
  sets: BySide<ComparedSet>,
  options: CaseOptions & { readonly file: string },
  work: (source: CaseSource) => Promise<Result>,
): Promise<Result> {
  const { name, format, chunks, totalBytes, bytes } = await openInput(shell, options.file, options.format);
  const { dataDir, lists, storage } = loaded.config;
  const downloads = new DownloadedLists(new ListStore(dataDir), lists.urls, quietLog(shell));
  const kept = options.live ? readProviderValues(storage.url) : null;
  if (kept) stores.open(kept);
  try {
    const collect = await collectForBoth({
      collector,
      inputs: { options: providerOptions, downloads: () => downloads.load() },
      ruleSets: { base: sets.base.ruleSet, candidate: sets.candidate.ruleSet },
      world: options.live ? 'live' : 'local',
    });
    const faults = new RowFaults();
    const { catalogue } = collector;
    const words = new LabelWords(options);
    const { columns = [] } = options;
    const rows = { name, format, chunks, columns, words, catalogue, collect, faults };
    const opened = await openLabelledFile(rows);
    let withFacts = 0;
    async function* cases() {
      for await (const batch of opened) {
        // Where the sets make different facts of an address, each case of one has facts for either side.
        withFacts += batch.filter(({ facts, candidateFacts }) => facts === candidateFacts).length;
        yield batch;
      }
    }
    return await work({
      kind: 'file',
      name,
      cases: cases(),
      length: totalBytes,
      position: bytes,
      caveats: () => [
        ...(withFacts > 0 ? unseenByReplay(sets) : []),
        ...faults.describe(name).map((fault) => `left out: ${fault}`),
      ],
      leftOut: () => faults.count,
    });
  } finally {
    stores.close();
    kept?.close();
  }
}
