import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SignalProvider } from '../../provider-kit/index.ts';
import type { ContractCases } from '../../provider-kit/testing/index.ts';
import { loadPluginFolder } from '../../signals/load-provider.ts';
import { moduleOfFolder } from '../../signals/plugin-resolution.ts';
import { CannotRun, type Shell } from '../shell.ts';

/** The provider of a folder that a command names. Its faults are told as the start of the service tells them. */
export async function openProvider(
  shell: Shell,
  directory: string,
): Promise<{ readonly folder: string; readonly provider: SignalProvider }> {
  const folder = resolve(shell.cwd, directory);
  const loaded = await loadPluginFolder(folder, (what) => shell.warn(what));
  if (loaded.faults) throw new CannotRun(loaded.faults.join('\n'));
  return { folder, provider: loaded.provider };
}

/** What `cases.js` or `cases.ts` of the folder exports; null where there is none. */
export async function readCases(folder: string): Promise<ContractCases | null> {
  const file = ['cases.js', 'cases.ts'].map((name) => join(folder, name)).find((path) => existsSync(path));
  if (file === undefined) return null;
  const module: { default?: Partial<ContractCases> } = await import(pathToFileURL(file).href).catch(
    (error: unknown) => {
      throw new CannotRun(
        `${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      );
    },
  );
  const cases = module.default;
  if (!Array.isArray(cases?.cases)) throw new CannotRun(`${file} has no default export { cases: [ … ] }`);
  return { ...cases, cases: cases.cases };
}

/** Throws where a folder is given that is no provider's, before anything is written there. */
export function requireModule(folder: string): void {
  if (!moduleOfFolder(folder)) throw new CannotRun(`provider ${folder}: has no index.js or index.ts`);
}
