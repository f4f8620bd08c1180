import type { Command } from 'commander';
import { openCollector, openPipeline } from '../app/compose/pipeline.ts';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { StartupError } from '../errors.ts';
import { byId } from '../lib/text.ts';
import { discoverProviders } from '../signals/discover-providers.ts';
import { loadSettings, quietLog } from './open-session.ts';
import { addCommand } from './options.ts';
import { answerTable, type Cell } from './render/table.ts';
import { ownPipelineRules } from './rules/own-rules.ts';
import type { Shell } from './shell.ts';

export function addCommands(providers: Command, shell: Shell): void {
  addCommand(providers, 'list', 'list the providers, what they answer and from which data').action(() =>
    listProviders(shell),
  );
}

async function listProviders(shell: Shell): Promise<void> {
  const loaded = await loadSettings(shell);
  const sources = await loadSources(shell, loaded);
  const { enabled, disabled } = await discoverProviders(loaded.config.providers);
  // With the names that leave the process.
  const providers = [...enabled, ...disabled].toSorted(byId).map(({ id, description, stage, facts }) => ({
    id,
    description,
    stage,
    enabled: sources.has(id),
    facts: facts.map((fact) => fact.id),
    slots: facts.flatMap(({ slot }): string[] => (slot === undefined ? [] : [slot])),
    /** The version of its data; null when it has none, is disabled, or the rules are at fault. */
    source: sources.get(id) ?? null,
  }));
  const rows = providers.map(({ id, stage, enabled: isEnabled, slots, facts, source }): Cell[] => {
    const state: Cell = isEnabled ? { text: 'yes', style: 'green' } : { text: 'no', style: 'dim' };
    return [id, stage, state, slots, facts.filter((fact) => !slots.includes(fact)), source];
  });
  answerTable(shell, { providers }, ['provider', 'stage', 'enabled', 'fills', 'other facts', 'data'], rows);
}

/** By enabled provider: the version of its data. They are prepared with the thresholds of the rules, which may be at fault. */
async function loadSources(
  shell: Shell,
  loaded: LoadedConfig,
): Promise<ReadonlyMap<string, string | undefined>> {
  const log = quietLog(shell);
  try {
    const { policies } = await openPipeline({ loaded, log, ...(await ownPipelineRules(shell, loaded)) });
    policies.close();
    return new Map([...policies.current.providers.byId].map(([id, { source }]) => [id, source]));
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    // Faults of the providers themselves are thrown again here.
    const { collector } = await openCollector({ loaded, log });
    shell.warn(`data sources are not shown, for ${error.faults.length} faults (postern rules lint)`);
    return new Map(collector.providers.map(({ id }) => [id, undefined]));
  }
}
