import type { InjectionToken } from '../../di.ts';

/** `providers.<id>` by id, with keys as the provider declares them: checked, with defaults. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The effective configuration. Each key stands with its comment in `config/default.yaml`; paths are absolute here. */
export interface Config {
  readonly dataDir: string;
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly plainPort: number | null;
    readonly tls: { readonly certFile: string | null; readonly keyFile: string | null };
    readonly trustedProxies: readonly string[];
    readonly bodyLimitBytes: number;
    readonly headersTimeoutMs: number;
    readonly requestTimeoutMs: number;
    readonly idleTimeoutMs: number;
    readonly drainDelayMs: number;
    readonly drainTimeoutMs: number;
    readonly maxConnections: number;
    readonly maxConnectionsPerClient: number;
  };
  readonly check: { readonly deadlineMs: number };
  readonly dns: {
    readonly servers: readonly string[];
    readonly timeoutMs: number;
    readonly dohUrl: string | null;
  };
  readonly rateLimit: { readonly requests: number; readonly windowSeconds: number };
  readonly quota: { readonly checksPerMonth: number | null };
  readonly rules: {
    readonly source: 'directory' | 'database';
    readonly dir: string;
    /** The rules that come with the program, where `dir` lies in the data directory and is filled from them; else null. */
    readonly shippedDir: string | null;
    readonly challengerDir: string | null;
    readonly promotion: {
      readonly minSO: number;
      readonly minHitPercent: number;
      readonly maxFalsePositivePercent: number;
      readonly days: number;
    };
    /** Changes of the files are taken when they happen, not at SIGHUP alone. */
    readonly watch: boolean;
  };
  readonly providers: {
    /** Null: all built in. Plugins of `paths` and `packages` are always enabled. */
    readonly enabled: readonly string[] | null;
    readonly paths: readonly string[];
    /** The origins asked over HTTP by providers that may be at private addresses. */
    readonly privateOrigins: readonly string[];
    readonly packages: readonly string[];
    /** The directory of the file that names `packages`, from which they are looked for. */
    readonly packagesFrom: string;
  };
  readonly storage: {
    /** The path of an SQLite database, or the address of a PostgreSQL one: `isPostgresUrl`. */
    readonly url: string;
    readonly directUrl: string | null;
    readonly poolSize: number;
  };
  readonly sharedState: { readonly url: string | null; readonly timeoutMs: number };
  readonly audit: { readonly durability: 'commit' | 'async' };
  readonly privacy: {
    readonly storeAddresses: 'plain' | 'hmac' | 'none';
    /** Null with PostgreSQL alone: the key is in the database. */
    readonly hmacKeyFile: string | null;
  };
  readonly retention: { readonly days: number };
  readonly lists: {
    readonly urls: readonly string[];
    readonly refreshHours: number;
    readonly maxBytes: number;
    readonly maxChangePercent: number;
    readonly staleAfterHours: number;
    readonly allowPrivateAddresses: boolean;
  };
  readonly dashboard: {
    readonly enabled: boolean;
    readonly sessionHours: number;
    /** As `privacy.hmacKeyFile`. */
    readonly sessionKeyFile: string | null;
    readonly demo: boolean;
  };
  readonly metrics: { readonly port: number | null; readonly token: string | null };
  readonly log: {
    readonly level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
    readonly clientAddress: boolean;
  };
}

export const CONFIG: InjectionToken<Config> = Symbol('Config');
