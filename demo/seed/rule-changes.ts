import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../src/app/config/config.ts';
import type { ActivePolicy } from '../../src/checks/active-policy.ts';
import { readRules } from '../../src/checks/rule-source.ts';
import { RulesDirectory, readRuleSources } from '../../src/checks/rules-directory.ts';
import type { Clock } from '../../src/provider-kit/index.ts';
import { digestOf, type RuleFiles } from '../../src/rules/rule-files.ts';
import type { SignalCollector } from '../../src/signals/signal-collector.ts';
import type { Storage } from '../../src/storage/ports.ts';
import { isoOf, momentOf } from './moments.ts';
import { challengerFiles, type RuleEdition, ruleEditions } from './rule-editions.ts';

export interface ChangeParts {
  readonly config: Config;
  readonly from: number;
  readonly until: number;
  readonly policies: ActivePolicy;
  readonly collector: SignalCollector;
  readonly clock: Clock;
  readonly storage: Storage;
}

export interface Changes {
  readonly editions: readonly RuleEdition[];
  /** Makes all changes that are due by `at`, each with the clock at its own moment. */
  until(at: number, setClock: (at: number) => void): Promise<void>;
}

/** What happens to the rules in the thirty days: editions put in force as the service would, and a challenger. */
export async function planChanges(parts: ChangeParts): Promise<Changes> {
  const { dir, challengerDir } = parts.config.rules;
  const shipped = (await readRuleSources(dir)).files;
  const editions = ruleEditions(shipped, parts.from, parts.until);
  const due = editions.map((edition) => ({
    at: edition.at,
    make: () => bringInForce(edition, parts),
  }));
  if (challengerDir !== null) {
    due.push({ at: momentOf(parts.until, 10, 7), make: () => bringBeside(challengerDir, parts) });
    due.sort((one, other) => one.at - other.at);
  }
  return {
    editions,
    async until(at, setClock) {
      for (let next = due[0]; next !== undefined && next.at <= at; next = due[0]) {
        due.shift();
        setClock(next.at);
        await next.make();
      }
    },
  };
}

/** Only writes files: no edition takes one out of the directory. */
async function bringInForce(
  { at, reason, author, restores, files }: RuleEdition,
  { config, policies, collector, clock, storage }: ChangeParts,
): Promise<void> {
  const { dir } = config.rules;
  await writeRuleFiles(dir, files);
  const faults = await policies.take(
    () => readRules(new RulesDirectory(dir), { collector, clock }),
    'change',
  );
  if (faults.length > 0) throw new Error(`the demo's rules are at fault: ${faults.join('; ')}`);
  const { hash } = policies.current.ruleSet;
  const version = { hash, digest: digestOf(files), reason, author, at: isoOf(at), restores };
  await storage.ruleVersions.add(version, files);
}

async function bringBeside(dir: string, { policies, collector, clock }: ChangeParts): Promise<void> {
  await writeRuleFiles(dir, challengerFiles(policies.current.sources.files));
  await policies.takeChallenger(() => readRules(new RulesDirectory(dir), { collector, clock }));
}

async function writeRuleFiles(dir: string, files: RuleFiles): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(dir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
