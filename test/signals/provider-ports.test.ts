import { expect, it } from 'vitest';
import { fakeStore } from '../../src/provider-kit/testing/index.ts';
import { ProviderStores } from '../../src/signals/provider-ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
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
