import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { DownloadedList, SignalProvider } from '../../../src/provider-kit/index.ts';
import { openRuleJobs } from '../../../src/rule-lab/editing/in-process-rule-jobs.ts';
import { openRecordedChecks } from '../../../src/storage/open-storage.ts';
import type { NewCheck } from '../../../src/storage/ports.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { DECISION, group, is, points, when } from '../../rules/rules-directory.ts';
import { checkOf } from '../../storage/rows.ts';
import { aCollector, aFact, aLocalProvider } from '../../support/providers.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

export const NOON = Date.parse('2026-11-20T12:00:00Z');

/** Rules in which `seen` is worth so many points; a check is BLOCK from 70. */
export const filesWith = (amount: number) => ({
  'decision.yaml': DECISION,
  'a.yaml': group('a', { seen: `${points(amount)}, ${when(is('x.seen', true))}` }),
  'tests/a.yaml': `- { name: seen, facts: { x.seen: true }, expect: { score: ${amount} } }\n`,
});

export const seen = (id: string, fields: Partial<NewCheck> = {}) =>
  checkOf(id, { facts: { 'x.seen': true }, created_at: '2026-11-19T10:00:00.000Z', ...fields });

/** A jobs over records that a test writes, and how often they were opened. */
export async function someRuleJobs(
  rows: readonly NewCheck[] = [],
  providers: readonly SignalProvider[] = [],
) {
  const file = join(temporaryDirectory(), 'postern.db');
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  onTestFinished(() => storage.close());
  for (const row of rows) await storage.checks.append(row);
  const provider = aLocalProvider('x', { facts: [aFact('x.seen', { never_unknown: true })] });
  const { collector } = await aCollector([provider, ...providers]);
  let now = NOON;
  const downloads = vi.fn(async (): Promise<readonly DownloadedList[]> => []);
  const openRecords = vi.fn(() => openRecordedChecks(file));
  const jobs = openRuleJobs({
    collector,
    providerOptions: {},
    downloads,
    openRecords,
    promotion: { minSO: 0.95, minHitPercent: 0.02, maxFalsePositivePercent: 1, days: 5 },
    clock: { now: () => now },
  });
  return { jobs, storage, downloads, openRecords, collector, pass: (ms: number) => (now += ms) };
}
