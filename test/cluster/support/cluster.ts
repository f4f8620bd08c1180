import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueLocalhostCertificate } from '../../../src/http/server/certificate.ts';
import { aClosedPort } from '../../support/closed-port.ts';
import { startDnsServer } from '../../support/dns-server.ts';
import { ZONE } from '../../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { anInstance, type Instance } from './instance.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { startValkeyServer, type ValkeyServer } from './valkey-server.ts';

export interface ClusterOptions {
  readonly instances: number;
  /** Settings of all instances, as variables: `POSTERN__QUOTA__CHECKS_PER_MONTH`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Servers that the instances reach through a proxy that can delay, cut and count. */
  readonly through?: readonly Proxied[];
  /** Root folder of the Postern that makes the first start. */
  readonly program?: string;
}

export type Proxied = 'postgres' | 'valkey';

/** Equal instances with their own PostgreSQL and Valkey, behind HAProxy. */
export interface Cluster {
  readonly instances: readonly Instance[];
  readonly balancer: Balancer;
  readonly postgres: PostgresServer;
  readonly valkey: ValkeyServer;
  /** A proxy that is not in `through` carries no traffic of the instances. */
  readonly proxies: Readonly<Record<Proxied, TcpProxy>>;
  readonly ca: string;
  /** The key that the first start made. */
  readonly key: string;
  stop(): Promise<void>;
}

/** Opens `/metrics` of every instance. */
export const METRICS_TOKEN = 'a-token-of-the-tests';

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const parts = new AsyncDisposableStack();
  try {
    return await start(options, parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function start(options: ClusterOptions, parts: AsyncDisposableStack): Promise<Cluster> {
  const root = mkdtempSync(join(tmpdir(), 'postern-cluster-'));
  parts.defer(() => rmSync(root, { recursive: true, force: true }));
  // PostgreSQL runs as another user, which must enter this directory.
  chmodSync(root, 0o755);
  const certificate = await issueLocalhostCertificate(Date.now());
  const [postgres, valkey, dns] = await Promise.all([
    startPostgresServer(root),
    startValkeyServer(root),
    startDnsServer(ZONE),
  ]);
  parts.defer(() => postgres.stop());
  parts.defer(() => valkey.stop());
  parts.defer(() => dns.close());
  const proxies = {
    postgres: parts.adopt(await startTcpProxy(postgres.port), close),
    valkey: parts.adopt(await startTcpProxy(valkey.port), close),
  };
  const urlOf = (part: Proxied, url: string) => {
    const through = new URL(url);
    if (options.through?.includes(part)) through.port = String(proxies[part].port);
    return through.href;
  };

  const [certFile, keyFile] = [join(root, 'cert.pem'), join(root, 'key.pem')];
  writeFileSync(certFile, certificate.cert);
  writeFileSync(keyFile, certificate.key, { mode: 0o600 });
  const env = {
    POSTERN__STORAGE__URL: urlOf('postgres', postgres.url),
    POSTERN__SHARED_STATE__URL: urlOf('valkey', valkey.url),
    POSTERN__RULES__SOURCE: 'database',
    POSTERN__HTTP__PLAIN_PORT: 'null',
    POSTERN__HTTP__TRUSTED_PROXIES: '["127.0.0.1"]',
    POSTERN__HTTP__TLS__CERT_FILE: certFile,
    POSTERN__HTTP__TLS__KEY_FILE: keyFile,
    POSTERN__DNS__SERVERS: JSON.stringify([dns.address]),
    POSTERN__METRICS__TOKEN: METRICS_TOKEN,
    ...options.env,
  };
  const instances: Instance[] = [];
  for (let n = 1; n <= options.instances; n++) {
    const name = `postern${n}`;
    const dataDir = join(root, name);
    mkdirSync(dataDir, { mode: 0o700 });
    instances.push(anInstance({ name, port: await aClosedPort(), dataDir, env, ca: certificate.ca }));
  }
  parts.defer(async () => void (await Promise.all(instances.map((instance) => instance.kill()))));
  await Promise.all(instances.map((instance) => instance.start(options.program)));
  const balancer = await startBalancer(root, instances, certificate);
  parts.defer(() => balancer.stop());
  const logs = process.env.POSTERN_TEST_CLUSTER_LOGS;
  if (logs)
    parts.defer(() => {
      writeFileSync(join(logs, 'haproxy.log'), balancer.log());
      for (const { name, said } of instances) writeFileSync(join(logs, `${name}.log`), said());
    });

  return {
    ...{ instances, balancer, postgres, valkey, proxies, ca: certificate.ca },
    key: keyIn(instances),
    stop: () => parts.disposeAsync(),
  };
}

function close(proxy: TcpProxy): Promise<void> {
  return proxy.close();
}

function keyIn(instances: readonly Instance[]): string {
  const texts = instances.map((instance) => instance.firstRun());
  const key = /^POSTERN_KEY=(pst_live_[0-9a-z]+)$/m.exec(texts.join('\n'))?.[1];
  if (!key) throw new Error(`no instance made a key:\n${instances.map((one) => one.said()).join('\n')}`);
  return key;
}
