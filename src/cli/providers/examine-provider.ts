import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openCollector } from '../../app/compose/pipeline.ts';
import type { Config } from '../../app/config/config.ts';
import { readAddress } from '../../email/read-address.ts';
import { JobRunner } from '../../jobs/job-runner.ts';
import { shortPath } from '../../lib/paths.ts';
import { messageOf, orIfAbsent } from '../../lib/thrown.ts';
import { inTime, START_PATIENCE_MS } from '../../lib/time.ts';
import type { SignalProvider } from '../../provider-kit/index.ts';
import { undescribed } from '../../provider-kit/testing/contract-checks.ts';
import { withDeclared } from '../../provider-kit/testing/index.ts';
import { withDefaults } from '../../provider-kit/testing/run-provider.ts';
import type { ContractJobs, ContractSetup } from '../../signals/contract-process.ts';
import { idOf, idOfPackage, loadPluginFolder } from '../../signals/load-provider.ts';
import { faultOfFolder, moduleOfFolder } from '../../signals/plugin-modules.ts';
import { replaceFile } from '../../storage/private-files.ts';
import { loadSettings, quietLog } from '../open-session.ts';
import { printTable } from '../render/table.ts';
import { CannotRun, cannotRun, orCannotUse, printable, type Shell } from '../shell.ts';

/** Loads the provider of a folder. Throws CannotRun with the faults that the start of the service would list. */
async function openProvider(shell: Shell, directory: string) {
  const folder = resolve(shell.cwd, directory);
  const loaded = await loadPluginFolder(folder, (what) => shell.warn(what));
  if (loaded.faults) throw new CannotRun(loaded.faults.join('\n'));
  return { folder, provider: loaded.provider };
}

/** The configured paths and packages of plugins, with `folder` in place of any other copy of its provider. */
export function withFolder({ paths, packages }: Config['providers'], folder: string) {
  const id = idOf(folder);
  return {
    paths: [...paths.filter((path) => idOf(path) !== id), folder],
    packages: packages.filter((name) => idOfPackage(name) !== id),
  };
}

/** Throws where a folder is given that is no provider's, before anything is written there. */
export function requireModule(folder: string): void {
  if (!moduleOfFolder(folder)) throw new CannotRun(`provider ${folder}: ${faultOfFolder(folder)}`);
}

/** Runs what `runContract` of the kit runs, without a test runner. Exit code 1 where something does not hold. */
export async function testProvider(shell: Shell, directory: string, { seed }: { readonly seed?: number }) {
  const folder = resolve(shell.cwd, directory);
  requireModule(folder);
  const setup: ContractSetup = { folder, ...(seed !== undefined && { seed }) };
  const runner = new JobRunner<ContractJobs>({
    program: 'contract',
    setup,
    does: 'tests the provider',
    undone: 'it was not tested',
    idleMs: START_PATIENCE_MS,
  });
  /** Waits as long as a start does for a provider. Throws CannotRun after that; the child process is killed when the command ends. */
  const within = async <Result>(job: Promise<Result>, what: string): Promise<Result> => {
    const awaited = `provider ${directory}: ${what}`;
    return await inTime(job.catch(cannotRun), awaited, (wait) => shell.warn(wait)).catch((error) => {
      if (error instanceof CannotRun) throw error;
      const patience = `${START_PATIENCE_MS / 1000} seconds`;
      throw new CannotRun(`${awaited} after ${patience}: it loops, or awaits what never comes`);
    });
  };
  // A child process that loops handles no signal: kill it when a signal ends this process.
  using _ended = shell.atEnd(() => runner.end());
  const held: HeldCheck[] = [];
  const loading = runner.run('describe', undefined);
  const { provider, hasCases, checks } = await within(loading, 'its module has not finished loading');
  if (!hasCases) shell.warn(`${directory} has no cases.ts: nothing is known of what it should answer`);
  for (const [place, name] of checks.entries()) {
    const message = await within(runner.run('hold', place), `"${name}" has not come to an end`);
    const one = { name, passed: message === null, message };
    held.push(one);
    // At once: where a later one hangs, what held before is of use.
    if (!shell.options.json) printCheck(shell, one);
  }
  const failed = held.filter(({ passed }) => !passed).length;
  if (failed > 0) shell.exitCode = 1;
  shell.answer({ provider, passed: held.length - failed, failed, checks: held }, () =>
    shell.print(
      shell.paint(
        failed === 0 ? 'green' : 'red',
        `${provider}: ${held.length - failed} hold, ${failed} failed`,
      ),
    ),
  );
}

interface HeldCheck {
  readonly name: string;
  readonly passed: boolean;
  readonly message: string | null;
}

function printCheck(shell: Shell, { name, passed, message }: HeldCheck): void {
  shell.print(`${passed ? shell.paint('green', 'holds ') : shell.paint('red', 'failed')} ${printable(name)}`);
  for (const line of message?.split('\n') ?? []) shell.print(`       ${printable(line)}`);
}

/** Asks one provider about one address, with its options, default thresholds and real look-ups. Answers facts, evidence and duration. */
export async function tryProvider(shell: Shell, directory: string, email: string): Promise<void> {
  const { folder, provider } = await openProvider(shell, directory);
  const reading = readAddress(email);
  if (!reading.ok) throw new CannotRun(`${JSON.stringify(email)} is no address: ${reading.refusal.message}`);
  const loaded = await loadSettings(shell);
  const { providers } = loaded.config;
  // Other plugins are loaded, not asked, so that their sections are no fault.
  const named = { ...providers, enabled: [], ...withFolder(providers, folder) };
  const alone = { ...loaded, config: { ...loaded.config, providers: named } };
  const { collector, providerOptions } = await openCollector({
    loaded: alone,
    log: quietLog(shell, 'warn'),
    only: provider.id,
  });
  const prepared = await collector.prepare({
    options: providerOptions,
    thresholds: { [provider.id]: defaultsOf(provider) },
    lists: { allow: [], deny: [] },
  });
  const signals = await collector.collect(reading.address, prepared);
  const facts = provider.facts.map(({ id }) => ({
    id,
    value: signals.facts[id] ?? null,
    unknown: signals.unknown[id] ?? null,
  }));
  const evidence = signals.evidence[provider.id] ?? null;
  const took = (signals.timingsUs[provider.id] ?? 0) / 1000;
  const degraded = signals.degraded.includes(provider.id);
  const answer = { provider: provider.id, email, facts, evidence, took_ms: took, degraded };
  shell.answer(answer, () => {
    const rows = facts.map(({ id, value, unknown }) => [
      id,
      unknown === null ? JSON.stringify(value) : `unknown: ${unknown}`,
    ]);
    printTable(shell, ['fact', 'value'], rows);
    if (evidence) shell.print(`\n${printable(`evidence ${JSON.stringify(evidence)}`)}`);
    shell.print(`\n${provider.id} took ${took.toFixed(1)} ms`);
    for (const need of provider.needs ?? [])
      shell.print(shell.paint('dim', `${need} is null here: a provider is tried alone`));
  });
}

function defaultsOf({ id, thresholds }: SignalProvider) {
  try {
    return withDefaults(thresholds);
  } catch (error) {
    throw new CannotRun(
      `${id} is tried with the defaults of its thresholds, and not all have one: ${messageOf(error)}`,
    );
  }
}

/** Writes title and tables of a provider's README from its declaration; all other text stays. With `check` it writes nothing. */
export async function documentProvider(
  shell: Shell,
  directory: string,
  { check = false }: { readonly check?: boolean },
): Promise<void> {
  const { folder, provider } = await openProvider(shell, directory);
  for (const fault of undescribed(provider)) shell.warn(fault);
  const file = join(folder, 'README.md');
  const name = shortPath(file, shell.cwd);
  const before = await orCannotUse(name, 'read', () => orIfAbsent(readFile(file, 'utf8'), ''));
  const after = withDeclared(before, provider);
  const isCurrent = after === before;
  if (check && !isCurrent) shell.exitCode = 1;
  if (!check && !isCurrent) await orCannotUse(name, 'written', () => replaceFile(file, after, 0o644));
  shell.answer({ file: name, up_to_date: isCurrent, written: !check && !isCurrent }, () => {
    const stale = check ? `is not up to date: run "postern providers docs ${directory}"` : 'written';
    shell.print(`${name} ${isCurrent ? 'is up to date' : stale}`);
  });
}
