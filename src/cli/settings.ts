import type { LoadedConfig } from '../app/config/load-config.ts';
import type { Logger } from '../observability/logger.ts';
import type { CommonOptions } from './options.ts';
import type { Shell } from './shell.ts';

/** The effective configuration; its warnings go to standard error. Throws a StartupError that lists every fault. */
export async function loadSettings(
  shell: Shell,
  options: CommonOptions & { readonly port?: number },
): Promise<LoadedConfig> {
  const { loadConfig } = await import('../app/config/load-config.ts');
  const loaded = await loadConfig({
    dataDir: options.dataDir,
    files: options.config ?? [],
    env: shell.env,
    cwd: shell.cwd,
    port: options.port,
    ...(shell.configDir !== undefined && { configDir: shell.configDir }),
  });
  for (const warning of loaded.warnings) shell.note(`warning: ${warning}`);
  return loaded;
}

/** Outside the service, log lines would mostly stand between the lines of an answer. */
export async function quietLog(shell: Shell, level: 'silent' | 'warn' = 'silent'): Promise<Logger> {
  const { createLogger } = await import('../observability/logger.ts');
  return createLogger(shell.env.POSTERN_DEBUG === '1' ? 'debug' : level);
}
