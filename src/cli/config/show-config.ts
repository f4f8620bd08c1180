import { describeConfig } from '../../app/config/describe-config.ts';
import { discoverProviders } from '../../signals/discover-providers.ts';
import type { CommonOptions } from '../options.ts';
import { renderTable } from '../render/table.ts';
import { loadSettings } from '../settings.ts';
import type { Shell } from '../shell.ts';

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
