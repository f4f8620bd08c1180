import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadedConfig, loadConfig } from '../src/app/config/load-config.ts';
import { packageRoot } from '../src/lib/paths.ts';
import { LIST_URLS } from './seed/seed-lists.ts';

export interface DemoSettings {
  readonly dataDir: string;
  /** `host:port` of the only name server that the demo asks. */
  readonly dns: string;
  readonly port: number;
  /** About how many checks are made; the quota leaves room for 35 % more. */
  readonly checks: number;
}

/**
 * Loads the shipped configuration with the demo's settings over it. `config/local.yaml` and environment variables are not
 * read: they might name a server elsewhere.
 */
export function loadDemoConfig(settings: DemoSettings): Promise<LoadedConfig> {
  const { dataDir, dns, port, checks } = settings;
  const configDir = join(dataDir, 'config');
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  cpSync(join(packageRoot, 'config/default.yaml'), join(configDir, 'default.yaml'));
  const rulesDir = join(dataDir, 'rules');
  // Rules that are there already have been worked on: they stay.
  if (!existsSync(rulesDir)) cpSync(join(packageRoot, 'rules'), rulesDir, { recursive: true });
  const challengerDir = join(dataDir, 'challenger');
  mkdirSync(challengerDir, { recursive: true });
  const file = join(configDir, 'demo.yaml');
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({
      // The plain port only refuses, and is not needed.
      http: { port, plain_port: null },
      dns: { servers: [dns], doh_url: null },
      rules: { dir: rulesDir, challenger_dir: challengerDir },
      lists: { urls: LIST_URLS },
      quota: { checks_per_month: Math.ceil((checks * 1.35) / 1_000) * 1_000 },
      dashboard: { demo: true },
      // One list is old on purpose: the page of lists says so, and the log need not.
      log: { level: 'error' },
    }),
  );
  return loadConfig({ dataDir, files: [file], env: {}, cwd: dataDir, configDir });
}
