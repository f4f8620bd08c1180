import { openCollector } from '../../app/compose/pipeline.ts';
import { readAddress } from '../../email/read-address.ts';
import { withDefaults } from '../../provider-kit/testing/run-provider.ts';
import { loadSettings, quietLog } from '../open-session.ts';
import { renderTable } from '../render/table.ts';
import { CannotRun, type Shell } from '../shell.ts';
import { openProvider } from './open-provider.ts';

/** Asks one provider about one address, with its options and real look-ups, as a check would: what it answers, by what, in what time. */
export async function tryProvider(shell: Shell, directory: string, email: string): Promise<void> {
  const { folder, provider } = await openProvider(shell, directory);
  const reading = readAddress(email);
  if (!reading.ok) throw new CannotRun(`${JSON.stringify(email)} is no address: ${reading.refusal.message}`);
  const loaded = await loadSettings(shell);
  const { providers } = loaded.config;
  // Sections of the other plugins are no fault: they are loaded, and not asked.
  const paths = [...new Set([...providers.paths, folder])];
  const alone = { ...loaded, config: { ...loaded.config, providers: { ...providers, enabled: [], paths } } };
  const { collector, providerOptions } = await openCollector({ loaded: alone, log: quietLog(shell, 'warn') });
  const thresholds = Object.fromEntries(
    collector.providers.map((one) => [one.id, withDefaults(one.thresholds)]),
  );
  const prepared = await collector.prepare({
    options: providerOptions,
    thresholds,
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
  shell.answer(
    {
      provider: provider.id,
      email,
      facts,
      evidence,
      took_ms: took,
      degraded: signals.degraded.includes(provider.id),
    },
    () => {
      const rows = facts.map(({ id, value, unknown }) => [
        id,
        unknown === null ? JSON.stringify(value) : `unknown: ${unknown}`,
      ]);
      shell.print(renderTable(shell, { headings: ['fact', 'value'], rows }));
      if (evidence) shell.print(`\nevidence ${JSON.stringify(evidence)}`);
      shell.print(`\n${provider.id} took ${took.toFixed(1)} ms`);
      for (const need of provider.needs ?? [])
        shell.print(shell.paint('dim', `${need} is null here: a provider is tried alone`));
    },
  );
}
