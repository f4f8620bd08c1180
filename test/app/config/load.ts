import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadedConfig, type LoadOptions, loadConfig } from '../../../src/app/config/load-config.ts';
import { StartupError } from '../../../src/errors.ts';
import { packageRoot } from '../../../src/lib/paths.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface Given extends Partial<Omit<LoadOptions, 'cwd' | 'configDir'>> {
  /** Files below the working directory; `config/local.yaml` is the overlay that is always read. */
  readonly written?: Readonly<Record<string, string>>;
}

/** Loads in a folder of its own, with the shipped defaults and nothing of the machine's environment. */
export async function load({
  written = {},
  ...options
}: Given = {}): Promise<LoadedConfig & { cwd: string }> {
  const cwd = temporaryFolder(written);
  mkdirSync(join(cwd, 'config'), { recursive: true });
  copyFileSync(join(packageRoot, 'config', 'default.yaml'), join(cwd, 'config', 'default.yaml'));
  const loaded = await loadConfig({ files: [], env: {}, ...options, cwd, configDir: join(cwd, 'config') });
  return { ...loaded, cwd };
}

/** The faults that loading, or anything else, was refused with. */
export async function faultsOf(attempt: () => unknown): Promise<readonly string[]> {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof StartupError) return error.faults;
    throw error;
  }
  return [];
}
