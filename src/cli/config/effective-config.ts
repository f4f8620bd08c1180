import { openCollector } from '../../app/compose/pipeline.ts';
import { describeConfig } from '../../app/config/describe-config.ts';
import { StartupError } from '../../errors.ts';
import { ensureCertificate } from '../../http/server/certificate.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { readRuleSources } from '../../rules/rule-files.ts';
import { discoverProviders } from '../../signals/discover-providers.ts';
import { loadSettings, quietLog } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { printable } from '../render/printable.ts';
import { renderTable } from '../render/table.ts';
import type { Shell } from '../shell.ts';

/** The faults are this command's answer: they go to standard output. */
export async function checkConfig(shell: Shell, options: CommonOptions): Promise<void> {
  const faults = await findFaults(shell, options);
  if (faults.length > 0) shell.exitCode = 1;
  if (options.json) shell.json({ faults });
  else if (faults.length === 0) shell.print('The configuration has no fault.');
  else for (const fault of faults) shell.print(printable(fault));
}

async function findFaults(shell: Shell, options: CommonOptions): Promise<readonly string[]> {
  try {
    const loaded = await loadSettings(shell, options);
    const { http, rules } = loaded.config;
    await StartupError.gather([
      // Providers declare options of their own, so they belong to the configuration.
      openCollector(loaded, await quietLog(shell), systemClock),
      http.tls.certFile === null ? null : ensureCertificate(loaded.config, systemClock),
      // That there are such files; what they say is for `rules lint`.
      readRuleSources(rules.dir),
      rules.challengerDir === null ? null : readRuleSources(rules.challengerDir),
    ]);
    return [];
  } catch (error) {
    if (error instanceof StartupError) return error.faults;
    throw error;
  }
}

export async function showConfig(shell: Shell, options: CommonOptions): Promise<void> {
  const loaded = await loadSettings(shell, options);
  const { enabled, disabled } = await discoverProviders(loaded.config.providers);
  const rows = describeConfig(loaded, [...enabled, ...disabled]);
  if (options.json) {
    shell.json({ settings: rows.map(({ key, value, origin }) => ({ key, value, origin })) });
    return;
  }
  shell.print(
    renderTable(
      shell,
      ['key', 'value', 'origin'],
      rows.map(({ key, value, origin }) => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
        { text: origin, ...(origin === 'default' && { style: 'dim' }) },
      ]),
    ),
  );
}
