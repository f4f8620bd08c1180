import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOf, load } from './load.ts';

describe('a variable', () => {
  it('is converted to the type of its key', async () => {
    const { config } = await load({
      env: {
        POSTERN__HTTP__HOST: '0.0.0.0',
        POSTERN__HTTP__PLAIN_PORT: 'null',
        POSTERN__HTTP__TRUSTED_PROXIES: '["10.0.0.0/8"]',
        POSTERN__DNS__SERVERS: '["127.0.0.1:5353", "[::1]:53", "::1"]',
        POSTERN__DNS__DOH_URL: 'null',
        POSTERN__PROVIDERS__ENABLED: '["mx"]',
        POSTERN__AUDIT__DURABILITY: 'async',
      },
    });
    expect(config.http).toMatchObject({ host: '0.0.0.0', plainPort: null, trustedProxies: ['10.0.0.0/8'] });
    expect(config.dns).toMatchObject({ servers: ['127.0.0.1:5353', '[::1]:53', '::1'], dohUrl: null });
    expect(config.providers.enabled).toEqual(['mx']);
    expect(config.audit.durability).toBe('async');
  });

  it('that names a key sets that key, although it ends in _FILE', async () => {
    const { config, cwd } = await load({ env: { POSTERN__PRIVACY__HMAC_KEY_FILE: 'my.key' } });
    expect(config.privacy.hmacKeyFile).toBe(join(cwd, 'my.key'));
  });

  it('reads a secret from the named file, without the last line end', async () => {
    const { config, origins } = await load({
      written: { token: 'a-token-of-letters\r\n' },
      env: { POSTERN__METRICS__TOKEN_FILE: 'token' },
    });
    expect(config.metrics.token).toBe('a-token-of-letters');
    expect(origins.get('metrics.token')).toBe('POSTERN__METRICS__TOKEN_FILE');
  });

  it('that holds a list without its quotation marks, as a shell leaves it, is refused with the form that is right', async () => {
    const env = { POSTERN__HTTP__TRUSTED_PROXIES: '[127.0.0.1]' };
    expect(await faultsOf(() => load({ env }))).toEqual([
      'POSTERN__HTTP__TRUSTED_PROXIES: must be a list, not "[127.0.0.1]": in a variable a list is JSON, its texts in double quotes',
    ]);
  });

  it('of another program is ignored', async () => {
    const { config } = await load({ env: { HTTP__PORT: '1', XPOSTERN__HTTP__PORT: '2' } });
    expect(config.http.port).toBe(8443);
  });
});
