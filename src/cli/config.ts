import type { Command } from 'commander';
import { openCollector } from '../app/compose/pipeline.ts';
import { describeConfig } from '../app/config/describe-config.ts';
import { readConfiguredRules, readRuleSources } from '../checks/rules-directory.ts';
import { StartupError } from '../errors.ts';
import { ensureCertificate } from '../http/server/certificate.ts';
import { systemClock } from '../lib/time.ts';
import { discoverProviders } from '../signals/discover-providers.ts';
import { loadSettings, quietly } from './open-session.ts';
import { addCommand } from './options.ts';
import { answerTable, type Cell } from './render/table.ts';
import { printable, type Shell } from './shell.ts';

export function addCommands(config: Command, shell: Shell): void {
  addCommand(config, 'check', 'list every fault of the configuration')
    .addHelpText('after', '\nEnds with 1 when there is a fault. Rules have a check of their own: rules lint.')
    .action(() => checkConfig(shell));

  addCommand(config, 'show', 'show each value and where it comes from; secrets are redacted').action(() =>
    showConfig(shell),
  );
}

/** The faults are this command's answer: they go to standard output. */
async function checkConfig(shell: Shell): Promise<void> {
  const faults = await findFaults(shell);
  if (faults.length > 0) shell.exitCode = 1;
  shell.answer({ faults }, () => {
    if (faults.length === 0) shell.print('The configuration has no fault.');
    for (const fault of faults) shell.print(printable(fault));
  });
}

async function findFaults(shell: Shell): Promise<readonly string[]> {
  try {
    const loaded = await loadSettings(shell);
    const { http, rules } = loaded.config;
    await StartupError.gather([
      // Providers declare options of their own, so they belong to the configuration.
      openCollector({ loaded, ...quietly(shell) }),
      http.tls.certFile === null ? null : ensureCertificate(loaded.config, systemClock),
      // Only whether the files can be read; their content is for `rules lint`.
      rules.source === 'directory' ? readConfiguredRules(rules) : null,
      rules.challengerDir === null ? null : readRuleSources(rules.challengerDir),
    ]);
    return [];
  } catch (error) {
    if (error instanceof StartupError) return error.faults;
    throw error;
  }
}

async function showConfig(shell: Shell): Promise<void> {
  const loaded = await loadSettings(shell);
  const { enabled, disabled } = await discoverProviders(loaded.config.providers, (what) => shell.warn(what));
  const settings = describeConfig(loaded, [...enabled, ...disabled]);
  const rows = settings.map(({ key, value, origin }): Cell[] => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [key, text, { text: origin, style: origin === 'default' ? 'dim' : undefined }];
  });
  answerTable(shell, { settings }, ['key', 'value', 'origin'], rows);
}
