import { expect, it, vi } from 'vitest';
import { fakeDns, fakeHttp, fakeStore } from '../../src/provider-kit/testing/index.ts';
import { tracked } from '../../src/signals/plugin-work.ts';
import { grantPorts, type HostPorts, ProviderStores } from '../../src/signals/provider-ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { aNetworkProvider } from '../support/providers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

async function aStore() {
  let now = 1_000_000;
  const storage = await openSqliteStorage({
    file: `${temporaryDirectory()}/postern.db`,
    durability: 'commit',
  });
  const stores = new ProviderStores({ now: () => now });
  return {
    storage,
    stores,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

it('stores nothing before the database is open and after it is closed', async () => {
  const { storage, stores } = await aStore();
  const store = stores.of('one');
  await store.set('a', 'early', 60);
  expect(await store.get('a')).toBeUndefined();
  stores.open(storage.providerValues);
  expect(await store.get('a')).toBeUndefined();
  await store.set('a', 'kept', 60);
  expect(await store.get('a')).toBe('kept');
  stores.close();
  await storage.close();
  expect(await store.get('a')).toBeUndefined();
  await expect(store.set('a', 'late', 60)).resolves.toBeUndefined();
});

it('gives each provider separate values, for the time that it asked for', async () => {
  const { storage, stores, pass } = await aStore();
  stores.open(storage.providerValues);
  await stores.of('one').set('a', 'mine', 60);
  expect(await stores.of('two').get('a')).toBeUndefined();
  pass(59_999);
  expect(await stores.of('one').get('a')).toBe('mine');
  pass(1);
  expect(await stores.of('one').get('a')).toBeUndefined();
  await storage.close();
});

it('throws when a value cannot be stored', async () => {
  const { storage, stores } = await aStore();
  stores.open(storage.providerValues);
  await storage.close();
  await expect(stores.of('one').set('a', 'x', 60)).rejects.toMatchObject({ code: 'unavailable' });
});

it('refuses values that no store can keep, as the fake of the kit does', async () => {
  const { storage, stores } = await aStore();
  stores.open(storage.providerValues);
  for (const store of [stores.of('one'), fakeStore()]) {
    for (const life of [Number.NaN, 1e300, undefined as unknown as number])
      await expect(store.set('a', 'b', life)).rejects.toThrow('lifeSeconds must be a number');
    await expect(store.set('a', undefined as unknown as string, 60)).rejects.toThrow('value must be text');
    await expect(store.get(undefined as unknown as string)).rejects.toThrow(TypeError);
    await expect(store.set('a', 'b\0c', 60)).rejects.toThrow('the value of a store must have no NUL');
    for (const key of ['a\0b', 'é'.repeat(513), 'k'.repeat(1_000_000)]) {
      await expect(store.set(key, 'b', 60)).rejects.toThrow('must have no NUL, and 1024 octets at most');
      await expect(store.get(key)).rejects.toThrow('must have no NUL, and 1024 octets at most');
    }
    await store.set('é'.repeat(512), 'v'.repeat(1_000_000), 60);
    expect(await store.get('é'.repeat(512))).toHaveLength(1_000_000);
  }
  await storage.close();
});

it('tells a plugin which argument of dns or http is of a wrong type, and asks nothing; the fakes of the kit do', async () => {
  const own = { dns: fakeDns({ 'a.test': { mx: ['mx.a.test'] } }), http: fakeHttp({ 'https://a.test/': 1 }) };
  const host = {
    dns: { mx: vi.fn(own.dns.mx), addresses: vi.fn(own.dns.addresses) },
    httpFor: async () => http,
  } as unknown as HostPorts;
  const http = { getJson: vi.fn(own.http.getJson), request: vi.fn(own.http.request) };
  const plugin = tracked(aNetworkProvider('own', { uses: ['dns', 'http'] }));
  const granted = (await grantPorts(plugin, {}, host)) as typeof own;
  const { signal } = new AbortController();
  for (const { dns, http } of [own, granted]) {
    for (const name of [undefined, null, 5, ['a.test']])
      for (const ask of [dns.mx, dns.addresses])
        await expect(ask(name as never, signal)).rejects.toThrow(
          'the name that DNS is asked for must be text',
        );
    await expect(dns.mx('a.test', { signal } as never)).rejects.toThrow('the signal must be an AbortSignal');
    for (const ask of [http.getJson, http.request]) {
      const asked = (request: unknown) => ask('https://a.test/', request as never);
      for (const request of ['text', null, signal])
        await expect(asked(request)).rejects.toThrow('the request must be an object');
      for (const headers of ['a: b', [['a', 'b']], new Headers(), new Map(), null])
        await expect(asked({ headers })).rejects.toThrow('the headers of a request must be a plain object');
      await expect(asked({ signal: true })).rejects.toThrow('the signal must be an AbortSignal');
    }
  }
  for (const ask of [host.dns.mx, host.dns.addresses, http.getJson, http.request])
    expect(ask).not.toHaveBeenCalled();
  expect(await granted.dns.mx('a.test', signal)).toMatchObject({ outcome: 'found' });
  expect(await granted.dns.addresses('a.test')).toMatchObject({ outcome: 'nodata' });
  const request = { headers: { a: 'b' }, signal };
  expect(await granted.http.getJson('https://a.test/', request)).toMatchObject({ outcome: 'ok' });
  expect(await granted.http.request('https://a.test/')).toMatchObject({ outcome: 'ok' });
});
