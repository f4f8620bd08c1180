import { existsSync } from 'node:fs';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { AddressPrivacy } from '../privacy/address-privacy.ts';
import { loadHmacKey } from '../privacy/hmac-key.ts';
import { CannotRun } from './cannot-run.ts';

/** For what finds people's records. A key made now would match nothing, and would hide that the right one is missing. */
export async function openPrivacy({ config }: LoadedConfig): Promise<AddressPrivacy> {
  const { storeAddresses, hmacKeyFile } = config.privacy;
  if (!existsSync(hmacKeyFile)) {
    throw new CannotRun(
      `${hmacKeyFile} is not there: without it no record can be matched to an address. Is --data-dir right? The first start makes it ("postern serve"); where checks are recorded already, put it back from a backup.`,
    );
  }
  return new AddressPrivacy(storeAddresses, await loadHmacKey(hmacKeyFile));
}
