// Runs in a child process: killing it ends an endless loop in a provider. Node may run this file as TypeScript: erasable syntax only.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { counted } from '../lib/statistics.ts';
import { messageOf, stackOf } from '../lib/thrown.ts';
import { thrownBy } from '../provider-kit/testing/contract-case.ts';
import { type ContractCases, contractChecks } from '../provider-kit/testing/index.ts';
import { defaultOf, loadPluginFolder } from './load-provider.ts';
import { pluginAtWork } from './plugin-work.ts';

export interface ContractSetup {
  readonly folder: string;
  /** Seed of the generated addresses. */
  readonly seed?: number;
}

/** Ends this process when the command was killed. A worker thread looks: the main thread may be in an endless loop. */
function endWithParent(): void {
  const look = `if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL')`;
  new Worker(`setInterval(() => { ${look}; }, 500)`, { eval: true }).unref();
}

export type ContractJobs = Awaited<ReturnType<typeof openContract>>;

/** Loads a provider and its checks, which run one at a time. Rejects with the faults of its declaration, or where its cases cannot be loaded. */
export async function openContract({ folder, seed }: ContractSetup) {
  // What a provider prints is for its author, and the standard output of this process goes nowhere.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  /** What failed outside of an answer since the last check; each call may add the same. */
  let leftBehind: string[] = [];
  const told = new Set<string>();
  process.on('uncaughtException', (error) => {
    const message = messageOf(error);
    leftBehind.push(thrownBy(error));
    if (told.has(message)) return;
    told.add(message);
    const words = process.env.POSTERN_DEBUG === '1' ? stackOf(error) : message;
    console.error(`postern: provider ${pluginAtWork()} failed outside of its answer: ${words}`);
  });
  endWithParent();
  // The parent process tells how long loading takes.
  const { provider, faults } = await loadPluginFolder(folder, () => undefined);
  if (faults) throw new Error(faults.join('\n'));
  const cases = await readCases(folder);
  const checks = contractChecks(provider, {
    ...(cases ?? { cases: [] }),
    ...(seed !== undefined && { seed }),
  });
  return {
    describe: () => ({
      provider: provider.id,
      hasCases: cases !== null,
      checks: checks.map(({ name }) => name),
    }),
    /** Runs the check at this place of the list. Null where it holds, else what does not hold. */
    async hold(place: number): Promise<string | null> {
      const fault = await checks[place]?.run().then(() => null, messageOf);
      // A rejection that nothing awaits is known a turn of the event loop later.
      await setImmediate();
      const [first] = leftBehind;
      const failures = leftBehind.length;
      leftBehind = [];
      if (fault || first === undefined) return fault ?? null;
      return `failed outside of its answer, ${counted(failures, 'time')}: ${first}`;
    },
  };
}

/** What `cases.js` or `cases.ts` of the folder exports; null where there is none. */
async function readCases(folder: string): Promise<ContractCases | null> {
  const file = ['cases.js', 'cases.ts'].map((name) => join(folder, name)).find((path) => existsSync(path));
  if (file === undefined) return null;
  const module: { default?: unknown } = await import(pathToFileURL(file).href).catch((error) => {
    throw new Error(`${file} cannot be loaded: ${messageOf(error)}`);
  });
  const cases = defaultOf(module) as Partial<ContractCases> | undefined;
  if (!Array.isArray(cases?.cases)) throw new Error(`${file} has no default export { cases: [ … ] }`);
  return { ...cases, cases: cases.cases };
}
