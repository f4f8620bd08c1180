import { join } from 'node:path';
import { AddressPrivacy } from '../../src/privacy/address-privacy.ts';
import type { NewCheck } from '../../src/storage/ports.ts';
import { openSecrets, putSecret } from '../../src/storage/secret-store.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { accountOf, checkOf, keyOf } from '../storage/rows.ts';
import { aWorld, type World } from './world.ts';

/** The same in every run: on which side of a rollout a person is depends on the key alone. */
const HMAC_KEY = Buffer.alloc(32, 7);

/** A world whose database holds these records; the hash is that of `canonical` under the world's own key. */
export async function aWorldWith(
  ...rows: readonly (Partial<NewCheck> & { readonly id: string; readonly canonical?: string })[]
): Promise<World> {
  const world = aWorld();
  const dataDir = join(world.cwd, 'data');
  await putSecret(join(dataDir, 'secrets/hmac.key'), HMAC_KEY);
  const storage = await openSqliteStorage({ file: join(dataDir, 'postern.db'), durability: 'commit' });
  const { hmacKey } = await openSecrets(
    {
      privacy: { hmacKeyFile: join(dataDir, 'secrets/hmac.key') },
      dashboard: { sessionKeyFile: join(dataDir, 'secrets/session.key') },
    },
    storage,
  );
  const privacy = new AddressPrivacy('hmac', hmacKey);
  await storage.accounts.create(accountOf('acc_1'));
  await storage.keys.create(keyOf(1));
  for (const { id, canonical, ...fields } of rows) {
    const hmac = canonical === undefined ? null : privacy.hmac(canonical);
    await storage.checks.append(checkOf(id, { address_hmac: hmac, ...fields }));
  }
  await storage.close();
  return world;
}

/** What the audit trail holds, the newest first. */
export async function trailOf({ cwd }: World) {
  const storage = await openSqliteStorage({ file: join(cwd, 'data/postern.db'), durability: 'commit' });
  const trail = await storage.peopleStorage.trail.list({ limit: 10 });
  await storage.close();
  return trail.map(({ person, action, subject, detail }) => [person, action, subject, detail]);
}
