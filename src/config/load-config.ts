import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartupError } from '../errors.ts';
import { packageRoot } from '../package-root.ts';
import type { Config } from './config.ts';
import { type Environment, readEnvironmentLayer } from './environment-layer.ts';
import { faultsOfSettings } from './faults.ts';
import { effective, type Layer, type Setting } from './layer.ts';
import { configKeys, configSchema } from './schema.ts';
import { toConfig } from './to-config.ts';
import { readYamlLayer } from './yaml-layer.ts';

export interface LoadOptions {
  /** `--data-dir`. */
  readonly dataDir?: string | undefined;
  /** Each `--config FILE`, in order. */
  readonly files: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
  /** `--port`; 0 takes free ports for both doors. */
  readonly port?: number | undefined;
  /** Where `default.yaml` and `local.yaml` lie; the package's own `config/`. */
  readonly configDir?: string;
}

export interface LoadedConfig {
  /** `providers.options` as written; `checkProviderOptions` returns them checked, defaults filled in. */
  readonly config: Config;
  /** Each key's origin: `config/local.yaml:3`, `POSTERN__HTTP__PORT`, `--port`, `default`. */
  readonly origins: ReadonlyMap<string, string>;
  /** For the log: what was not read. */
  readonly warnings: readonly string[];
  /** From weakest to strongest. */
  readonly layers: readonly Layer[];
  /** The effective value of each key as written, before paths are made absolute. */
  readonly settings: ReadonlyMap<string, Setting>;
}

/** Reads every layer, refuses all that is wrong at once (`StartupError`), and returns what rules. */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { cwd, env, configDir = join(packageRoot, 'config') } = options;
  const defaults = readYamlLayer(join(configDir, 'default.yaml'), cwd, configSchema);
  const local = join(configDir, 'local.yaml');
  const overlays = [
    ...(existsSync(local) ? [local] : []),
    ...options.files.map((file) => resolve(cwd, file)),
  ];
  const files = overlays.map((file) => readYamlLayer(file, cwd, configSchema));
  const environment = readEnvironmentLayer(env, cwd);

  const layers = [
    { ...defaults.layer, origin: () => 'default' },
    ...files.map(({ layer }) => layer),
    environment.layer,
    ...commandLine(options.port, cwd),
  ];
  const faults = [
    ...[defaults, ...files, environment].flatMap(({ faults }) => faults),
    ...layers.flatMap((layer) =>
      faultsOfSettings(layer.tree).map(({ path, message }) => `${layer.at(path)} ${message}`),
    ),
  ];
  if (faults.length > 0) throw new StartupError(faults);

  const settings = effectiveSettings(layers);
  const origin = (key: string) => settings.get(key)?.layer.origin(key.split('.')) ?? 'default';
  const dataDir = options.dataDir ?? (env.POSTERN_DATA_DIR || undefined);
  const config = toConfig(settings, layers, resolve(cwd, dataDir ?? 'data'));
  const shared = sharedPort(config);
  if (shared !== undefined) {
    const at = settings.get(shared.set)?.layer.at(shared.set.split('.'));
    throw new StartupError([`${at} is ${shared.port}, as ${shared.other} is: each needs a port of its own`]);
  }
  const unpaired = unpairedTlsFile(config);
  if (unpaired !== undefined) {
    const at = settings.get(unpaired.set)?.layer.at(unpaired.set.split('.'));
    throw new StartupError([`${at} needs ${unpaired.unset} beside it`]);
  }

  return {
    config,
    origins: new Map([
      ['data_dir', options.dataDir !== undefined ? '--data-dir' : dataDir ? 'POSTERN_DATA_DIR' : 'default'],
      ...[...settings.keys()].map((key): [string, string] => [key, origin(key)]),
    ]),
    warnings: environment.warnings,
    layers,
    settings,
  };
}

/** 0 is any free port. */
function sharedPort({ http, metrics }: Config): { set: string; other: string; port: number } | undefined {
  const ports = [
    ['http.port', http.port],
    ['http.plain_port', http.plainPort],
    ['metrics.port', metrics.port],
  ] as const;
  for (const [place, [set, port]] of ports.entries()) {
    const [other] = ports.slice(0, place).find(([, taken]) => taken === port) ?? [];
    if (other !== undefined && port) return { set, other, port };
  }
  return undefined;
}

/** Only here, not in the schema: one layer may name the certificate and another its key. */
function unpairedTlsFile({ http: { tls } }: Config): { set: string; unset: string } | undefined {
  const [cert, key] = ['http.tls.cert_file', 'http.tls.key_file'] as const;
  if (tls.certFile !== null && tls.keyFile === null) return { set: cert, unset: key };
  if (tls.certFile === null && tls.keyFile !== null) return { set: key, unset: cert };
  return undefined;
}

function effectiveSettings(layers: readonly Layer[]): ReadonlyMap<string, Setting> {
  const settings = new Map<string, Setting>();
  for (const key of configKeys.keys()) {
    const setting = effective(layers, key.split('.'));
    if (setting === undefined) throw new Error(`config/default.yaml does not say ${key}`);
    settings.set(key, setting);
  }
  return settings;
}

function commandLine(port: number | undefined, cwd: string): Layer[] {
  if (port === undefined) return [];
  const http = port === 0 ? { port, plain_port: 0 } : { port };
  return [{ tree: { http }, base: cwd, origin: () => '--port', at: () => '--port:' }];
}
