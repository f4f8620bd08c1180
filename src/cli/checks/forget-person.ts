import { readAddress } from '../../email/read-address.ts';
import { CannotRun } from '../cannot-run.ts';
import { openPrivacy } from '../open-privacy.ts';
import type { StorageSession } from '../open-storage.ts';
import type { CommonOptions } from '../options.ts';
import type { Shell } from '../shell.ts';

const NOTHING_TO_FIND =
  'Under privacy.store_addresses: none a record holds neither the address nor its hash: such records cannot be found, and tell of nobody.';

/** Erases by the hash of the canonical address, which records hold under `plain` too. */
export async function forgetPerson(
  shell: Shell,
  { loaded, storage }: StorageSession,
  email: string,
  options: CommonOptions,
): Promise<void> {
  const reading = readAddress(email);
  if (!reading.ok) throw new CannotRun(`"${email}" is no address: ${reading.refusal.message}`);
  const privacy = await openPrivacy(loaded);
  // Also under `none`: records from before that was set can still be found.
  const addressHmac = privacy.hmac(reading.address.canonical.address);
  const { checks, labels } = await storage.checks.forget({ addressHmac });
  if (checks + labels === 0) shell.exitCode = 1;
  if (options.json) shell.json({ canonical: reading.address.canonical.address, erased: checks, labels });
  else shell.print(describe(checks, labels));
  if (privacy.mode === 'none') shell.note(NOTHING_TO_FIND);
}

function describe(checks: number, labels: number): string {
  if (checks + labels === 0) return 'nothing erased';
  const records = `${checks} ${checks === 1 ? 'record' : 'records'}`;
  return labels === 0
    ? `${records} erased`
    : `${records} and ${labels} ${labels === 1 ? 'label' : 'labels'} erased`;
}
