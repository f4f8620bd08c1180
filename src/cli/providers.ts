import { type Command, Option } from 'commander';
import { openCollector } from '../app/compose/pipeline.ts';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { StartupError } from '../errors.ts';
import { byId } from '../lib/text.ts';
import type { Ports, SignalProvider } from '../provider-kit/index.ts';
import type { PreparedProviders } from '../signals/prepare-providers.ts';
import { loadSettings, quietly } from './open-session.ts';
import { addCommand, notEmpty, numberFrom } from './options.ts';
import { developProvider } from './providers/develop-provider.ts';
import { documentProvider, testProvider, tryProvider } from './providers/examine-provider.ts';
import { newProvider } from './providers/new-provider.ts';
import { answerTable, type Cell } from './render/table.ts';
import { openOwnPipeline } from './rules/open-rules.ts';
import type { Shell } from './shell.ts';

export function addCommands(providers: Command, shell: Shell): void {
  addCommand(
    providers,
    'list',
    'list the providers: what they answer, what they wait for, from which data',
  ).action(() => listProviders(shell));
  addCommand(providers, 'new', 'write a provider that passes its tests, to begin with')
    .argument('<id>', 'snake_case, such as my_signal; the folder is my-signal')
    .addOption(
      new Option('--local', 'it answers at once, from the address alone').conflicts(['network', 'counting']),
    )
    .addOption(new Option('--network', 'it asks a JSON API').conflicts('counting'))
    .option('--counting', "it counts the service's own checks")
    .option('--dir <dir>', 'where the folder is made; the working directory unless given', notEmpty)
    .action((id: string, { network, counting, dir }) =>
      newProvider(shell, id, network ? 'network' : counting ? 'counting' : 'local', dir),
    );
  addCommand(providers, 'test', 'hold a provider to its contract, as runContract of the kit does')
    .argument('<dir>', 'its folder, with cases.ts', notEmpty)
    .option('--seed <n>', 'of the generated addresses', numberFrom(1, 999_999_999))
    .addHelpText('after', '\nEnds with 1 when something does not hold.')
    .action((directory: string, options) => testProvider(shell, directory, options));
  addCommand(providers, 'try', 'ask one provider about an address, with real look-ups')
    .argument('<dir>', 'its folder', notEmpty)
    .argument('<email>', 'what a user typed')
    .action((directory: string, email: string) => tryProvider(shell, directory, email));
  addCommand(providers, 'docs', 'write the tables of a README from the declaration')
    .argument('<dir>', 'its folder', notEmpty)
    .option('--check', 'write nothing; end with 1 where it is not up to date')
    .action((directory: string, options) => documentProvider(shell, directory, options));
  addCommand(providers, 'dev', 'serve with a provider, and again whenever its code changes')
    .argument('<dir>', 'its folder', notEmpty)
    .option('--port <n>', 'HTTPS port; 0 takes free ports for both listeners', numberFrom(0, 65_535))
    .action((directory: string, { port }) => developProvider(shell, directory, port));
}

async function listProviders(shell: Shell): Promise<void> {
  const loaded = await loadSettings(shell);
  const { collector } = await openCollector({ loaded, ...quietly(shell) });
  const prepared = await prepare(shell, loaded);
  const { deadlineMs } = loaded.config.check;
  // With the names that leave the process.
  const providers = [...collector.providers, ...collector.disabled].toSorted(byId).map((provider) => {
    const { id, description, stage, facts } = provider;
    return {
      id,
      description,
      stage,
      enabled: collector.providers.includes(provider),
      facts: facts.map((fact) => fact.id),
      slots: facts.flatMap(({ slot }): string[] => (slot === undefined ? [] : [slot])),
      ...waitsOf(provider, deadlineMs),
      /** The version of its data; null when it has none, is disabled, or the rules are at fault. */
      source: prepared.get(id)?.source ?? null,
    };
  });
  const rows = providers.map(({ id, stage, enabled: isEnabled, slots, facts, source, ...waits }): Cell[] => {
    const state: Cell = isEnabled ? { text: 'yes', style: 'green' } : { text: 'no', style: 'dim' };
    const others = facts.filter((fact) => !slots.includes(fact));
    return [id, stage, state, slots, others, describeWaits(waits), source];
  });
  const headings = ['provider', 'stage', 'enabled', 'fills', 'other facts', 'waits for', 'data'];
  answerTable(shell, { providers }, headings, rows);
}

/** What a check waits for before it has the provider's answer. */
function waitsOf(provider: SignalProvider, deadlineMs: number) {
  const { needs = [], uses = [] } = provider;
  const isLocal = provider.stage === 'local';
  return {
    /** Facts of other providers. */
    needs,
    /** The ports that it is given. */
    uses,
    /** How long its answer is awaited, of a network provider. */
    timeout_ms: isLocal ? null : Math.min(provider.timeoutMs ?? deadlineMs, deadlineMs),
    /** Whether checks are counted for it, once all other facts are there. */
    counts: isLocal && provider.counts !== undefined,
  };
}

const NETWORK_PORTS: readonly string[] = ['dns', 'smtp', 'http'] satisfies (keyof Ports)[];

/** `dns, smtp: 500 ms`, then the facts, a line each. */
function describeWaits({ needs, uses, timeout_ms, counts }: ReturnType<typeof waitsOf>): readonly string[] {
  const asked = uses.filter((port) => NETWORK_PORTS.includes(port)).join(', ') || 'its answer';
  return [
    ...(timeout_ms === null ? [] : [`${asked}: ${timeout_ms} ms`]),
    ...needs,
    ...(counts ? ['counted checks'] : []),
  ];
}

/** The enabled providers with their data; none where the rules are at fault, whose thresholds the data are prepared with. */
async function prepare(shell: Shell, loaded: LoadedConfig): Promise<PreparedProviders['byId']> {
  try {
    const { policies } = await openOwnPipeline(shell, loaded);
    policies.close();
    return policies.current.providers.byId;
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    shell.warn(`data sources are not shown, for ${error.faults.length} faults (postern rules lint)`);
    return new Map();
  }
}
