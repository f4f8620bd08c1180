import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ActivePolicy, type RulesInForce, rulesInForce } from '../../../src/checks/active-policy.ts';
import { InProcessJudge } from '../../../src/checks/rule-judge.ts';
import type { RuleSource } from '../../../src/checks/rule-source.ts';
import { publishedVersions, RulesDatabase } from '../../../src/checks/rules-database.ts';
import { RulesDirectory } from '../../../src/checks/rules-directory.ts';
import { RulesReloader } from '../../../src/checks/rules-reloader.ts';
import { isoTime } from '../../../src/lib/time.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';
import type { SignalProvider } from '../../../src/provider-kit/index.ts';
import { RuleEditing } from '../../../src/rule-lab/editing/rule-editing.ts';
import type { RuleJobs } from '../../../src/rule-lab/editing/rule-jobs.ts';
import { digestOf, type RuleFiles } from '../../../src/rules/rule-files.ts';
import type { NewCheck } from '../../../src/storage/ports.ts';
import { aChangeFeed } from '../../support/change-feed.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { filesWith, NOON, someRuleJobs } from './some-rule-jobs.ts';

export const ANN = { id: 'per_1', name: 'Ann' };
export const BOB = { id: 'per_2', name: 'Bob' };

interface MoreOfRules {
  readonly files?: RuleFiles;
  /** Beside `x`. */
  readonly providers?: readonly SignalProvider[];
  /** `rules.source: database`. */
  readonly isInDatabase?: boolean;
}

/** What a service has for who works on rules: `filesWith(60)` in force, pauses that pass at once, and a clock that stands. */
export async function someRuleEditing(
  rows: readonly NewCheck[] = [],
  writing: Partial<Pick<RuleSource, 'publish'>> = {},
  { files = filesWith(60), providers = [], isInDatabase = false }: MoreOfRules = {},
) {
  const dir = temporaryDirectory();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const { jobs: inProcess, collector, storage } = await someRuleJobs(rows, providers);
  const jobs = asProcess(inProcess);
  const [clock, log] = [{ now: () => NOON }, createLogger('silent')];
  const feed = aChangeFeed();
  if (isInDatabase) {
    const { hash } = await inProcess.test(files);
    const first = { hash, digest: digestOf(files), author: null, restores: null, reason: 'start' } as const;
    await storage.ruleVersions.publish({ ...first, at: isoTime(NOON) }, files, null);
  }
  const source: RuleSource = isInDatabase
    ? new RulesDatabase({ versions: storage.ruleVersions, feed, clock })
    : Object.assign(new RulesDirectory(dir), writing);
  const policies = await ActivePolicy.open({
    ...{ source, challengerSource: null, providerOptions: {}, collector, clock, log },
    downloads: async () => [],
    metrics: noMetrics,
  });
  const versions = isInDatabase ? publishedVersions(storage.ruleVersions) : storage.ruleVersions;
  const reloader = new RulesReloader({
    ...{ policies, versions, clock, log },
    judge: new InProcessJudge({ collector, providerOptions: {} }),
    pause: async () => undefined,
  });
  await reloader.begin();
  onTestFinished(async () => {
    await reloader.close();
    policies.close();
  });
  const inForce = () => rulesInForce(policies);
  const parts = {
    source,
    catalogue: collector.catalogue,
    jobs,
    store: storage.ruleDrafts,
    versions,
    reloader,
    hashAddress: (canonical: string) => `hash of ${canonical}`,
  };
  let challenger: RulesInForce | null = null;
  const workbench = new RuleEditing({ ...parts, inForce, clock, challenger: () => challenger });
  const { drafts, publisher } = workbench;
  return {
    ...{ workbench, jobs, drafts, publisher, versions, inForce, clock, source, write, storage },
    hashAddress: parts.hashAddress,
    read: (path: string) => readFileSync(join(dir, path), 'utf8'),
    /** From now on these files judge beside those in force. */
    challenge(files: RuleFiles) {
      challenger = { hash: digestOf(files).slice(0, 16), digest: digestOf(files), files };
      return challenger.hash;
    },
    remove: (path: string) => rmSync(join(dir, path), { recursive: true }),
  };
}

/** What is asked of a process of its own is copied on the way, and an error loses all but its message. */
function asProcess(jobs: RuleJobs): RuleJobs {
  return new Proxy(jobs, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function'
        ? (order: unknown, ...rest: unknown[]) => member.call(target, structuredClone(order), ...rest)
        : member;
    },
  });
}
