import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StartupError } from '../../errors.ts';
import { packageRoot, shortPath } from '../../lib/paths.ts';
import { isPostgresUrl } from '../../lib/service-url.ts';
import { codeOf } from '../../lib/thrown.ts';
import type { Config } from './config.ts';
import { type Environment, readEnvironmentLayer } from './environment-layer.ts';
import { faultsOfSettings } from './faults.ts';
import { effective, type Layer, put, readYamlLayer, type Setting, withAbsolutePaths } from './layer.ts';
import { configKeys } from './schema.ts';

/** `plain_port` to `plainPort`: keys are snake_case in files and camelCase in code. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The settings in the form that the code reads: camelCase, paths absolute, nothing left to derive. */
function toConfig(
  settings: ReadonlyMap<string, Setting>,
  { dataDir, tree, packagesFrom }: Readonly<Record<'dataDir' | 'tree' | 'packagesFrom', string>>,
): Config {
  const root: Record<string, unknown> = { dataDir };
  const [shipped, own] = [join(tree, 'rules'), join(dataDir, 'rules')];
  // A packed release has no `src/`. In a checkout the shipped rules are edited in place, under version control.
  const isCheckout = existsSync(join(tree, 'src'));
  const defaults = new Map([
    ['storage.url', join(dataDir, 'postern.db')],
    // Instances that share a database keep these keys in it.
    ...(isPostgresUrl(String(settings.get('storage.url')?.value))
      ? []
      : ([
          ['privacy.hmac_key_file', join(dataDir, 'secrets', 'hmac.key')],
          ['dashboard.session_key_file', join(dataDir, 'secrets', 'session.key')],
        ] as const)),
    ['rules.dir', isCheckout ? shipped : own],
  ]);
  for (const [key, setting] of settings) {
    const value = withAbsolutePaths(setting, configKeys.get(key) ?? {});
    put(root, key.split('.').map(camelCase), value ?? defaults.get(key) ?? null);
  }
  // The schema has checked each value; a test holds this object equal to a literal of the type.
  const config = root as unknown as Config;
  const isFilled = !isCheckout && config.rules.dir === own && own !== shipped;
  return {
    ...config,
    rules: { ...config.rules, shippedDir: isFilled ? shipped : null },
    providers: { ...config.providers, packagesFrom },
  };
}

export interface LoadOptions {
  /** `--data-dir`. */
  readonly dataDir?: string | undefined;
  /** Each `--config FILE`, in order. */
  readonly files: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
  /** `--port`; 0 takes free ports for both listeners. */
  readonly port?: number | undefined;
  /** Where `default.yaml` and `local.yaml` lie, beside `rules/`; the package's own `config/`. */
  readonly configDir?: string;
}

export type LoadedConfig = Awaited<ReturnType<typeof loadConfig>>;

/** Reads every layer, refuses all faults at once (`StartupError`), and returns the effective settings. */
export async function loadConfig(options: LoadOptions) {
  const { cwd, env, configDir = join(packageRoot, 'config') } = options;
  const defaults = readYamlLayer(join(configDir, 'default.yaml'), cwd);
  const fromEnvironment = env.POSTERN_DATA_DIR || undefined;
  const dataDir = resolve(cwd, options.dataDir ?? fromEnvironment ?? 'data');
  const warnings: string[] = [];
  const isThere = (file: string) => {
    try {
      // Also true of a link that leads nowhere: reading it then says so.
      return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      if (codeOf(error) === 'EACCES')
        warnings.push(`${shortPath(file, cwd)}: is not read (this user may not look whether it is there)`);
      return false;
    }
  };
  const overlays = [
    ...[configDir, dataDir].map((directory) => join(directory, 'local.yaml')).filter(isThere),
    ...options.files.map((file) => resolve(cwd, file)),
  ];
  const files = overlays.map((file) => readYamlLayer(file, cwd));
  const environment = readEnvironmentLayer(env, cwd);

  const configured = [
    { ...defaults.layer, origin: () => 'default' },
    ...files.map(({ layer }) => layer),
    environment.layer,
  ];
  const layers = [...configured, ...commandLine(options.port, configured, cwd)];
  const faults = [
    ...[defaults, ...files, environment].flatMap(({ faults }) => faults),
    ...layers.flatMap((layer) =>
      faultsOfSettings(layer.tree).map(({ path, message }) => `${layer.at(path)} ${message}`),
    ),
  ];
  if (faults.length > 0) throw new StartupError(faults);

  const settings = effectiveSettings(layers);
  const origin = (key: string) => settings.get(key)?.layer.origin(key.split('.')) ?? 'default';
  const tree = dirname(configDir);
  // `providers dev` names the packages anew, and where they are looked for stays as it was.
  const packagesFrom = env.POSTERN_PACKAGES_FROM || (settings.get('providers.packages')?.layer.base ?? tree);
  const config = toConfig(settings, { dataDir, tree, packagesFrom });
  const clashes = clashesIn(config, origin).map(
    ({ key, message }) => `${settings.get(key)?.layer.at(key.split('.'))} ${message}`,
  );
  if (clashes.length > 0) throw new StartupError(clashes);

  return {
    config,
    /** Each key's origin: `config/local.yaml:3`, `POSTERN__HTTP__PORT`, `--port`, `default`. */
    origins: new Map<string, string>([
      [
        'data_dir',
        options.dataDir !== undefined ? '--data-dir' : fromEnvironment ? 'POSTERN_DATA_DIR' : 'default',
      ],
      ...[...settings.keys()].map((key) => [key, origin(key)] as const),
    ]),
    /** For the log: what was not read. */
    warnings: [...environment.warnings, ...warnings],
    /** From weakest to strongest. */
    layers,
  };
}

/** Settings that contradict each other. The schema cannot check this, because it sees one layer at a time. */
function clashesIn(
  { http, metrics, rules, storage }: Config,
  originOf: (key: string) => string,
): readonly { readonly key: string; readonly message: string }[] {
  const ports = [
    { key: 'http.port', port: http.port },
    { key: 'http.plain_port', port: http.plainPort },
    { key: 'metrics.port', port: metrics.port },
    // A port of 0 takes any free port, and null is closed: neither can clash.
  ]
    .filter(({ port }) => port)
    // Defaults first: of two equal ports, the fault is reported at the one that was set.
    .toSorted((a, b) => Number(originOf(b.key) === 'default') - Number(originOf(a.key) === 'default'));
  const shared = ports.flatMap(({ key, port }, place) => {
    const other = ports.slice(0, place).find((taken) => taken.port === port);
    return other ? [{ key, message: `is ${port}, as ${other.key} is: each needs a port of its own` }] : [];
  });
  const tls = [
    { key: 'http.tls.cert_file', file: http.tls.certFile },
    { key: 'http.tls.key_file', file: http.tls.keyFile },
  ];
  const [set, unset] = [tls.find(({ file }) => file !== null), tls.find(({ file }) => file === null)];
  if (set && unset) shared.push({ key: set.key, message: `needs ${unset.key} beside it` });
  const needsServer = [
    { key: 'storage.direct_url', isSet: storage.directUrl !== null },
    { key: 'rules.source', isSet: rules.source === 'database' },
  ].filter(({ isSet }) => isSet && !isPostgresUrl(storage.url));
  const message = 'needs PostgreSQL, and storage.url is no postgres:// address';
  return [...shared, ...needsServer.map(({ key }) => ({ key, message }))];
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

/** `--port 0` takes any free port for both listeners, but a plain port that is closed stays closed. */
function commandLine(port: number | undefined, configured: readonly Layer[], cwd: string): Layer[] {
  if (port === undefined) return [];
  const isPlainOpen = effective(configured, ['http', 'plain_port'])?.value !== null;
  const http = port === 0 && isPlainOpen ? { port, plain_port: 0 } : { port };
  return [{ tree: { http }, base: cwd, origin: () => '--port', at: () => '--port:' }];
}
