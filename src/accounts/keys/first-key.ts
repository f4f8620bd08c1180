import type { KeyService } from './key-service.ts';

/** On an empty store: a default account with one live key, whose secret is returned. Otherwise null. */
export async function createFirstKey(keys: KeyService): Promise<string | null> {
  if (await keys.hasAccounts()) return null;
  const account = await keys.createAccount('default');
  const { secret } = await keys.createKey({ accountId: account.id, environment: 'live', name: 'first key' });
  return secret;
}
