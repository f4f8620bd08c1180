import { Redis } from 'iovalkey';

export interface ValkeyFacts {
  /** `valkey 8.0.1`, `redis 7.0.15` */
  readonly version: string;
  readonly major: number;
  /** `maxmemory-policy`; undefined where the server does not tell. */
  readonly eviction: string | undefined;
  /** `maxmemory` in octets; 0 for no limit. */
  readonly memoryLimit: number;
}

const TIMEOUT_MS = 2_000;

/** Reads and changes nothing. Rejects where the server cannot be reached, with what the system says and nothing of the URL. */
export async function examineValkey(url: string): Promise<ValkeyFacts> {
  const client = new Redis(url, {
    ...{ lazyConnect: true, connectTimeout: TIMEOUT_MS, commandTimeout: TIMEOUT_MS, family: 0 },
    ...{ retryStrategy: () => null, maxRetriesPerRequest: 0, connectionName: 'postern examination' },
  });
  let reason: Error | undefined;
  client.on('error', (error) => {
    reason = error;
  });
  try {
    // The promise rejects with that the connection is closed, the event before it tells why.
    await client.connect().catch((error) => Promise.reject(reason ?? error));
    const info = await client.info();
    const told = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
    const [name, version = ''] = told('valkey_version')
      ? ['valkey', told('valkey_version')]
      : ['redis', told('redis_version')];
    return {
      version: `${name} ${version}`,
      major: Number.parseInt(version, 10),
      eviction: told('maxmemory_policy'),
      memoryLimit: Number(told('maxmemory') ?? 0),
    };
  } finally {
    client.disconnect();
  }
}
