import { createSecretKey, type KeyObject } from 'node:crypto';
import { loadSecret } from '../storage/secret-file.ts';

/**
 * The key under which addresses are hashed. Made at the first start; losing it makes recorded addresses
 * unfindable, so it belongs into the backup. Throws a StartupError when the file is too short or open to others.
 */
export async function loadHmacKey(file: string): Promise<KeyObject> {
  return createSecretKey(await loadSecret(file, 'privacy.hmac_key_file'));
}
