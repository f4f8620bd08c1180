import { openCollector, openPipeline } from '../../app/compose/pipeline.ts';
import type { LoadedConfig } from '../../app/config/load-config.ts';
import { StartupError } from '../../errors.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { byId } from '../../lib/text.ts';
import { discoverProviders } from '../../signals/discover-providers.ts';
import { loadSettings, quietLog } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { renderTable } from '../render/table.ts';
import type { Shell } from '../shell.ts';

/** With the names that leave the process. */
export interface ProviderDescription {
  readonly id: string;
  readonly description: string;
  readonly stage: 'local' | 'network';
  readonly enabled: boolean;
  readonly facts: readonly string[];
  readonly slots: readonly string[];
  /** The version of its data; null when it has none, is disabled, or the rules are at fault. */
  readonly source: string | null;
}

export async function describeProviders(
  shell: Shell,
  options: CommonOptions,
): Promise<readonly ProviderDescription[]> {
  const loaded = await loadSettings(shell, options);
  const sources = await loadSources(shell, loaded);
  const { enabled, disabled } = await discoverProviders(loaded.config.providers);
  return [...enabled, ...disabled]
    .map(({ id, description, stage, facts }) => ({
      id,
      description,
      stage,
      enabled: sources.has(id),
      facts: facts.map((fact) => fact.id),
      slots: facts.flatMap(({ slot }) => slot ?? []),
      source: sources.get(id) ?? null,
    }))
    .toSorted(byId);
}

/** The enabled providers. Their data are prepared with the thresholds of the rules, which may be at fault. */
async function loadSources(
  shell: Shell,
  loaded: LoadedConfig,
): Promise<ReadonlyMap<string, string | undefined>> {
  const log = await quietLog(shell);
  try {
    const { policies } = await openPipeline(loaded, log, systemClock);
    policies.close();
    return new Map([...policies.current.providers.byId].map(([id, { source }]) => [id, source]));
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    // Faults of the providers themselves are thrown again here.
    const { collector } = await openCollector(loaded, log, systemClock);
    shell.note(`warning: data sources are not shown, for ${error.faults.length} faults (postern rules lint)`);
    return new Map(collector.providers.map(({ id }) => [id, undefined]));
  }
}

export function printProviders(shell: Shell, providers: readonly ProviderDescription[]): void {
  shell.print(
    renderTable(
      shell,
      ['provider', 'stage', 'enabled', 'fills', 'other facts', 'data'],
      providers.map(({ id, stage, enabled, slots, facts, source }) => [
        id,
        stage,
        enabled ? { text: 'yes', style: 'green' } : { text: 'no', style: 'dim' },
        slots,
        facts.filter((fact) => !slots.includes(fact)),
        source,
      ]),
    ),
  );
}
