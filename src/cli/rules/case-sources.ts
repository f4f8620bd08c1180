import { LabelWords } from '../../labels/label.ts';
import { RowFaults } from '../../lib/row-faults.ts';
import { type Format, formatOf } from '../../lib/row-file.ts';
import { DownloadedLists } from '../../lists/downloaded-lists.ts';
import { ListStore } from '../../lists/list-store.ts';
import type { BySide } from '../../rule-lab/backtest/case.ts';
import { recordedCases } from '../../rule-lab/backtest/case.ts';
import { collectForBoth, openLabelledFile } from '../../rule-lab/backtest/labelled-file.ts';
import { type CaseSource, type ComparedSet, unseenByReplay } from '../../rule-lab/backtest/run-backtest.ts';
import { readProviderValues } from '../../storage/sqlite/read-provider-values.ts';
import { knownAccount } from '../accounts.ts';
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
export async function withCases(
  shell: Shell,
  opened: OpenedRules,
  sets: BySide<ComparedSet>,
  options: CaseOptions,
  work: (source: CaseSource) => Promise<void>,
): Promise<void> {
  if (options.file !== undefined) {
    await withCasesOfFile(shell, opened, sets, { ...options, file: options.file }, work);
    return;
  }
  await withStorage(shell, options, { create: false }, async ({ loaded, storage }) => {
    const { since, until, account } = options;
    if (since !== undefined && until !== undefined && since >= until) {
      throw new CannotRun('--since is not before --until: no check lies between');
    }
    const accountId = account && knownAccount(await storage.accounts.list(), account).id;
    const selection = { since, until, accountId };
    await work({
      kind: 'recorded',
      name: loaded.config.storage.url,
      cases: recordedCases(storage.checks.pages(selection)),
      // Counting reads them all: a second for a million, paid only for a bar on a terminal.
      length: shell.terminal && (await storage.checks.count(selection)),
      position: (cases) => cases,
      caveats: () => unseenByReplay(sets),
      leftOut: () => 0,
    });
  });
}

async function withCasesOfFile(
  shell: Shell,
  { loaded, collector, providerOptions, stores }: OpenedRules,
  sets: BySide<ComparedSet>,
  options: CaseOptions & { readonly file: string },
  work: (source: CaseSource) => Promise<void>,
): Promise<void> {
  const format = options.format ?? formatOf(options.file);
  if (format === undefined) {
    throw new CannotRun(`${options.file}: --format csv or --format jsonl says what it is`);
  }
  const { dataDir, lists, storage } = loaded.config;
  const downloads = new DownloadedLists(new ListStore(dataDir), lists.urls, await quietLog(shell));
  const kept = options.live ? readProviderValues(storage.url) : null;
  if (kept) stores.open(kept);
  try {
    const collect = await collectForBoth({
      collector,
      inputs: { options: providerOptions, downloads: () => downloads.load() },
      ruleSets: { base: sets.base.ruleSet, candidate: sets.candidate.ruleSet },
      world: options.live ? 'live' : 'local',
    });
    const input = await openInput(shell, options.file);
    const faults = new RowFaults();
    const opened = await openLabelledFile({
      name: input.name,
      format,
      chunks: input.chunks,
      columns: options.columns ?? [],
      words: new LabelWords(options),
      catalogue: collector.catalogue,
      collect,
      faults,
    });
    let withFacts = 0;
    async function* cases() {
      for await (const batch of opened) {
        // Each side makes its own facts of an address, where they differ at all.
        withFacts += batch.filter(({ facts, candidateFacts }) => facts === candidateFacts).length;
        yield batch;
      }
    }
    await work({
      kind: 'file',
      name: input.name,
      cases: cases(),
      length: input.totalBytes,
      position: input.bytes,
      caveats: () => [
        ...(withFacts > 0 ? unseenByReplay(sets) : []),
        ...faults.describe(input.name).map((fault) => `left out: ${fault}`),
      ],
      leftOut: () => faults.count,
    });
  } finally {
    stores.close();
    kept?.close();
  }
}
