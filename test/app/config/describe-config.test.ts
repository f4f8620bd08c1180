import { describe, expect, it } from 'vitest';
import { describeConfig } from '../../../src/app/config/describe-config.ts';
import { configKeys } from '../../../src/app/config/schema.ts';
import { load } from './load.ts';

const SECRET = 'a-token-that-stays-hidden';
const PAID = {
  id: 'paid',
  options: {
    properties: { api_key: { type: 'string', secret: true }, retries: { type: 'integer', default: 2 } },
  },
};

describe('describeConfig', () => {
  it('has one row for each key, with the effective value and its origin', async () => {
    const loaded = await load({
      written: { 'config/local.yaml': 'http: { port: 1 }' },
      env: { POSTERN_DATA_DIR: '/d' },
    });
    const rows = describeConfig(loaded, []);
    expect(rows.map(({ key }) => key)).toEqual(['data_dir', ...configKeys.keys()]);
    expect(rows).toContainEqual({ key: 'data_dir', value: '/d', origin: 'POSTERN_DATA_DIR' });
    expect(rows).toContainEqual({ key: 'http.port', value: 1, origin: 'config/local.yaml:1' });
    expect(rows).toContainEqual({ key: 'storage.url', value: '/d/postern.db', origin: 'default' });
    expect(rows).toContainEqual({
      key: 'rules.dir',
      value: '/d/rules',
      origin: 'default',
    });
    expect(rows).toContainEqual({ key: 'metrics.token', value: null, origin: 'default' });
  });

  it('shows the addresses of servers without their passwords, from every origin', async () => {
    const loaded = await load({
      written: {
        'config/local.yaml': `storage: { direct_url: "postgres://postern@db/x?password=${SECRET}" }`,
        url: `postgres://postern:${SECRET}@db/x\n`,
      },
      env: {
        POSTERN__STORAGE__URL_FILE: 'url',
        POSTERN__SHARED_STATE__URL: `valkey://:${SECRET}@cache`,
        POSTERN__LISTS__URLS: `["https://ann:${SECRET}@x.org/a.txt", "https://x.org/b.txt"]`,
      },
    });
    expect(loaded.config.storage.url).toBe(`postgres://postern:${SECRET}@db/x`);
    const rows = describeConfig(loaded, []);
    expect(JSON.stringify(rows)).not.toContain(SECRET);
    expect(rows).toContainEqual({
      key: 'storage.url',
      value: 'postgres://postern:[redacted]@db/x',
      origin: 'POSTERN__STORAGE__URL_FILE',
    });
    expect(rows.find(({ key }) => key === 'storage.direct_url')?.value).toBe(
      'postgres://postern@db/x?password=[redacted]',
    );
    expect(rows.find(({ key }) => key === 'shared_state.url')?.value).toBe('valkey://:[redacted]@cache');
    expect(rows.find(({ key }) => key === 'lists.urls')?.value).toEqual([
      'https://ann:[redacted]@x.org/a.txt',
      'https://x.org/b.txt',
    ]);
  });

  it('redacts secrets, also those of providers', async () => {
    const loaded = await load({
      written: { 'config/local.yaml': `providers: { paid: { api_key: ${SECRET} } }` },
      env: { POSTERN__METRICS__TOKEN: SECRET },
    });
    const rows = describeConfig(loaded, [PAID]);
    expect(JSON.stringify(rows)).not.toContain(SECRET);
    expect(rows).toContainEqual({
      key: 'metrics.token',
      value: '[redacted]',
      origin: 'POSTERN__METRICS__TOKEN',
    });
    expect(rows.slice(-2)).toEqual([
      { key: 'providers.paid.api_key', value: '[redacted]', origin: 'config/local.yaml:1' },
      { key: 'providers.paid.retries', value: 2, origin: 'default' },
    ]);
  });
});
