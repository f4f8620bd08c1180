import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../../src/app/config/config.ts';
import { packageRoot } from '../../../src/lib/paths.ts';
import { type Given, load } from './load.ts';

const local = (text: string) => ({ 'config/local.yaml': text });

describe('loadConfig with nothing set', () => {
  it('yields exactly the defaults that the contract names', async () => {
    const { config, cwd, warnings } = await load();
    const expected: Config = {
      dataDir: join(cwd, 'data'),
      http: {
        host: '127.0.0.1',
        port: 8443,
        plainPort: 8080,
        tls: { certFile: null, keyFile: null },
        trustedProxies: [],
        bodyLimitBytes: 16_384,
        headersTimeoutMs: 10_000,
        requestTimeoutMs: 15_000,
        idleTimeoutMs: 75_000,
        drainDelayMs: 0,
        drainTimeoutMs: 10_000,
        maxConnections: 4096,
        maxConnectionsPerClient: 1024,
      },
      check: { deadlineMs: 500 },
      dns: { servers: [], timeoutMs: 300, dohUrl: null },
      rateLimit: { requests: 600, windowSeconds: 60 },
      quota: { checksPerMonth: 100_000 },
      rules: {
        source: 'directory',
        dir: join(cwd, 'data', 'rules'),
        shippedDir: join(cwd, 'rules'),
        challengerDir: null,
        promotion: { minSO: 0.95, minHitPercent: 0.02, maxFalsePositivePercent: 1, days: 5 },
        watch: true,
      },
      providers: {
        enabled: null,
        paths: [],
        packages: [],
        packagesFrom: join(cwd, 'config'),
        privateOrigins: [],
      },
      storage: { url: join(cwd, 'data', 'postern.db'), directUrl: null, poolSize: 10 },
      sharedState: { url: null, timeoutMs: 20 },
      audit: { durability: 'commit' },
      privacy: { storeAddresses: 'hmac', hmacKeyFile: join(cwd, 'data', 'secrets', 'hmac.key') },
      retention: { days: 90 },
      lists: {
        urls: [],
        refreshHours: 6,
        maxBytes: 16_777_216,
        maxChangePercent: 10,
        staleAfterHours: 72,
        allowPrivateAddresses: false,
      },
      dashboard: {
        enabled: true,
        sessionHours: 12,
        sessionKeyFile: join(cwd, 'data', 'secrets', 'session.key'),
        demo: false,
      },
      metrics: { port: null, token: null },
      log: { level: 'info', clientAddress: false },
    };
    expect(config).toEqual(expected);
    expect(warnings).toEqual([]);
  });
});

describe('layers', () => {
  it('overlay in order: default, local.yaml, each --config file, variables, --port', async () => {
    const written = {
      'config/local.yaml': 'http: { host: 10.0.0.1, port: 1, body_limit_bytes: 100 }\nretention: { days: 1 }',
      'a.yaml': 'http: { port: 2 }\nretention: { days: 2 }\nlog: { level: debug }',
      'b.yaml': 'http: { port: 3 }\nretention: { days: 3 }',
    };
    const env = { POSTERN__HTTP__PORT: '4', POSTERN__RETENTION__DAYS: '4' };
    const { config, origins } = await load({ written, files: ['a.yaml', 'b.yaml'], env, port: 5 });
    expect(config.http).toMatchObject({ host: '10.0.0.1', port: 5, plainPort: 8080, bodyLimitBytes: 100 });
    expect(config.retention.days).toBe(4);
    expect(config.log.level).toBe('debug');
    expect(Object.fromEntries(origins)).toMatchObject({
      'http.host': 'config/local.yaml:1',
      'http.port': '--port',
      'http.plain_port': 'default',
      'retention.days': 'POSTERN__RETENTION__DAYS',
      'log.level': 'a.yaml:3',
      data_dir: 'default',
    });
  });

  it('read local.yaml of the data directory after that of the tree, which an update may replace', async () => {
    const written = {
      ...local('http: { port: 1, body_limit_bytes: 100 }'),
      'data/local.yaml': 'http: { port: 2 }\nrules: { challenger_dir: tried }',
      'a.yaml': 'log: { level: debug }',
    };
    const { config, origins, cwd } = await load({ written, files: ['a.yaml'] });
    expect(config.http).toMatchObject({ port: 2, bodyLimitBytes: 100 });
    expect(config.rules.challengerDir).toBe(join(cwd, 'data/tried'));
    expect(origins.get('http.port')).toBe('data/local.yaml:1');
    const elsewhere = await load({ written: { 'srv/local.yaml': 'http: { port: 3 }' }, dataDir: 'srv' });
    expect(elsewhere.config.http.port).toBe(3);
  });

  it('replace a list as a whole', async () => {
    const { config } = await load({
      written: {
        ...local('http: { trusted_proxies: [10.0.0.0/8, 192.168.0.1] }'),
        'a.yaml': 'http: { trusted_proxies: [] }',
      },
      files: ['a.yaml'],
    });
    expect(config.http.trustedProxies).toEqual([]);
  });

  it('can reset a value to null', async () => {
    const { config } = await load({
      written: local('http:\n  plain_port: null\nquota:\n  checks_per_month: null'),
    });
    expect(config.http.plainPort).toBeNull();
    expect(config.quota.checksPerMonth).toBeNull();
  });

  it('change nothing where a file or a section is empty', async () => {
    const { config } = await load({
      written: { ...local('http:\n  # port: 1\ndns:\n'), 'a.yaml': '' },
      files: ['a.yaml'],
    });
    expect(config.http.port).toBe(8443);
  });

  it('use port 0 for both ports with --port 0, whatever the files set', async () => {
    const { config } = await load({ written: local('http: { port: 1, plain_port: 2 }'), port: 0 });
    expect(config.http).toMatchObject({ port: 0, plainPort: 0 });
    const closed = await load({ written: local('http: { port: 1, plain_port: null }'), port: 0 });
    expect(closed.config.http).toMatchObject({ port: 0, plainPort: null });
  });
});

describe('relative paths', () => {
  it('in a file start at that file', async () => {
    const written = {
      'etc/postern.yaml': [
        'rules: { dir: my-rules }',
        'http: { tls: { cert_file: tls/cert.pem, key_file: /abs/key.pem } }',
        'providers: { paths: [plugins, ../shared] }',
        'storage: { url: "sqlite:db/a.db" }',
      ].join('\n'),
    };
    const { config, cwd } = await load({ written, files: ['etc/postern.yaml'] });
    expect(config.rules.dir).toBe(join(cwd, 'etc/my-rules'));
    expect(config.http.tls).toEqual({ certFile: join(cwd, 'etc/tls/cert.pem'), keyFile: '/abs/key.pem' });
    expect(config.providers.paths).toEqual([join(cwd, 'etc/plugins'), join(cwd, 'shared')]);
    expect(config.storage.url).toBe(join(cwd, 'etc/db/a.db'));
  });

  it('in a variable start at the working directory', async () => {
    const { config, cwd } = await load({
      env: { POSTERN__RULES__DIR: 'my-rules', POSTERN__STORAGE__URL: 'sqlite:///var/lib/postern.db' },
    });
    expect(config.rules.dir).toBe(join(cwd, 'my-rules'));
    expect(config.storage.url).toBe('/var/lib/postern.db');
  });

  it('of secrets are null where they are not set and storage is a PostgreSQL, which stores the secrets', async () => {
    const server = 'storage: { url: "postgresql://postern@db/postern" }';
    const { config } = await load({ written: local(server) });
    expect(config.storage.url).toBe('postgresql://postern@db/postern');
    expect([config.privacy.hmacKeyFile, config.dashboard.sessionKeyFile]).toEqual([null, null]);
    const own = await load({ written: local(`${server}\ndashboard: { session_key_file: s.key }`) });
    expect(own.config.dashboard.sessionKeyFile).toBe(join(own.cwd, 'config/s.key'));
  });

  it('of the data directory come from --data-dir, then POSTERN_DATA_DIR, then ./data', async () => {
    const env = { POSTERN_DATA_DIR: 'from-env' };
    const both = await load({ env, dataDir: '/srv/postern' });
    expect(both.config.dataDir).toBe('/srv/postern');
    expect(both.config.storage.url).toBe('/srv/postern/postern.db');
    expect(both.origins.get('data_dir')).toBe('--data-dir');
    const one = await load({ env });
    expect(one.config.dataDir).toBe(join(one.cwd, 'from-env'));
    expect(one.origins.get('data_dir')).toBe('POSTERN_DATA_DIR');
  });
});

describe('rules.dir', () => {
  const rulesOf = async (given: Given) => {
    const { config, cwd } = await load(given);
    return [config.rules.dir, config.rules.shippedDir].map((path) => path && relative(cwd, path));
  };

  it('is in the data directory, filled from the shipped rules, where the program is not a checkout', async () => {
    expect(await rulesOf({})).toEqual(['data/rules', 'rules']);
    expect(await rulesOf({ dataDir: 'srv' })).toEqual(['srv/rules', 'rules']);
  });

  it('is rules/ beside the sources, which packages and images do not have', async () => {
    expect(await rulesOf({ written: { 'src/a.ts': '' } })).toEqual(['rules', null]);
    const { files }: { files: string[] } = JSON.parse(
      readFileSync(join(packageRoot, 'package.json'), 'utf8'),
    );
    expect(files.filter((file) => file.startsWith('src'))).toEqual([]);
  });

  it('is not changed where it is set; one that is set to the default is filled like the default', async () => {
    expect(await rulesOf({ env: { POSTERN__RULES__DIR: 'mine' } })).toEqual(['mine', null]);
    expect(await rulesOf({ written: local('rules: { dir: ../rules }') })).toEqual(['rules', null]);
    expect(await rulesOf({ env: { POSTERN__RULES__DIR: 'data/rules' } })).toEqual(['data/rules', 'rules']);
    const inCheckout = { written: { 'src/a.ts': '' }, env: { POSTERN__RULES__DIR: 'data/rules' } };
    expect(await rulesOf(inCheckout)).toEqual(['data/rules', null]);
  });
});

describe('warnings', () => {
  it('point at a variable that lacks an underscore', async () => {
    expect(
      (await load({ env: { POSTERN_HTTP_PORT: '1', POSTERN_PORT: 'tcp://10.0.0.1:80' } })).warnings,
    ).toEqual(['POSTERN_HTTP_PORT: is not read (did you mean POSTERN__HTTP__PORT?)']);
  });
});
