import {
  type ApiKey,
  createSecret,
  type Environment,
  freshKey,
  hashSecret,
  isUsable,
} from '../../src/accounts/key.ts';
import type { Storage } from '../../src/storage/ports.ts';
import type { Sender } from '../traffic/plan-traffic.ts';
import { isoOf, momentOf } from './moments.ts';

export interface SeededAccounts {
  readonly shop: string;
  readonly office: string;
  /** The key that a sender used at that moment. */
  readonly keyOf: (sender: Sender, at: number) => ApiKey;
  /** The secret of the shop's web key, to try a request with. */
  readonly secret: string;
  /** Changes of keys, for the audit trail. */
  readonly deeds: readonly KeyDeed[];
}

export interface KeyDeed {
  readonly at: number;
  readonly action: 'key.issued' | 'key.rotated' | 'key.revoked';
  readonly subject: string;
  readonly accountId: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

interface Wanted {
  readonly sender?: Sender;
  readonly accountId: string;
  readonly environment: Environment;
  readonly name: string;
  readonly daysBefore: number;
}

/** Two customers with keys in every state that a key can be in. Secrets are random in every run; ids come from `nextId`. */
export async function seedAccounts(
  { accounts, keys }: Storage,
  until: number,
  nextId: (kind: 'acc' | 'key', at: number) => string,
): Promise<SeededAccounts> {
  const createAccount = async (name: string, daysBefore: number) => {
    const at = momentOf(until, daysBefore, 10);
    const account = { id: nextId('acc', at), name, createdAt: isoOf(at) };
    await accounts.create(account);
    return account.id;
  };
  const make = ({ accountId, environment, name, daysBefore }: Wanted) => {
    const at = momentOf(until, daysBefore, 11, 20);
    const { text, prefix } = createSecret(environment);
    const key = { id: nextId('key', at), accountId, environment, name, prefix, createdAt: isoOf(at) };
    return { key: { ...key, hash: hashSecret(text) }, secret: text };
  };
  const deeds: KeyDeed[] = [];
  const note = (action: KeyDeed['action'], key: ApiKey, at: number, more: KeyDeed['detail'] = {}) => {
    const { id: subject, accountId, name, environment } = key;
    deeds.push({ at, action, subject, accountId, detail: { name, environment, ...more } });
  };
  const create = async (wanted: Wanted) => {
    const made = make(wanted).key;
    await keys.create(made);
    const key = freshKey(made);
    note('key.issued', key, Date.parse(key.createdAt));
    return key;
  };

  const shop = await createAccount('Northwind Store', 240);
  const office = await createAccount('Fernhill Analytics', 130);
  const live = { environment: 'live' } as const;
  const ofShop = { accountId: shop, ...live };
  const ofOffice = { accountId: office, ...live };

  const oldWeb = await create({ ...ofShop, name: 'web signup', daysBefore: 236 });
  const app = await create({ ...ofShop, name: 'mobile app', daysBefore: 118 });
  const fair = await create({ ...ofShop, name: 'spring fair', daysBefore: 96 });
  const staging = await create({ accountId: shop, environment: 'test', name: 'staging', daysBefore: 235 });
  const production = await create({ ...ofOffice, name: 'production', daysBefore: 129 });
  const crm = await create({ ...ofOffice, name: 'crm import', daysBefore: 77 });
  await create({ accountId: office, environment: 'test', name: 'ci', daysBefore: 128 });

  const revokedAt = momentOf(until, 33, 16, 5);
  await keys.revoke(fair.id, isoOf(revokedAt));
  note('key.revoked', fair, revokedAt);
  const seenAt = momentOf(until, 2, 7, 48);
  await keys.markSeenInClear(app.id, isoOf(seenAt), isoOf(0));
  // Rotated a day ago with two days of grace, so that both secrets are good now.
  const rotatedAt = momentOf(until, 1, 9, 30);
  const { key: web, secret } = make({ ...ofShop, name: 'web signup', daysBefore: 1 });
  const successor = { ...web, createdAt: isoOf(rotatedAt) };
  const expiresAt = isoOf(rotatedAt + 2 * 86_400_000);
  await keys.rotate(oldWeb.id, expiresAt, successor);
  note('key.rotated', oldWeb, rotatedAt, { replaced_by: successor.id, expires_at: expiresAt });
  const newWeb = { ...freshKey(successor), family: oldWeb.family };

  const bySender: Readonly<Record<Sender, ApiKey>> = {
    shop_web: oldWeb,
    shop_app: app,
    shop_test: staging,
    office_web: production,
    office_import: crm,
  };
  return {
    shop,
    office,
    secret,
    deeds,
    keyOf: (sender, at) => {
      const key = sender === 'shop_web' && at > rotatedAt + 3_600_000 ? newWeb : bySender[sender];
      if (!isUsable(key, at)) throw new Error(`${key.name} is of no use at ${isoOf(at)}`);
      return key;
    },
  };
}
