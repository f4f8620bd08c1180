import { isCheckId, readSubject } from '../../labels/label-subject.ts';
import type { LabelSubject } from '../../storage/label-store.ts';
import { CannotRun } from '../cannot-run.ts';
import { chooseAccount } from '../find-account.ts';
import { openPrivacy } from '../open-privacy.ts';
import { type StorageSession, withStorage } from '../open-storage.ts';
import type { CommonOptions } from '../options.ts';
import type { Shell } from '../shell.ts';

export interface RemoveOptions extends CommonOptions {
  readonly account?: string;
}

export async function removeLabel(shell: Shell, what: string, options: RemoveOptions): Promise<void> {
  await withStorage(shell, options, { create: false }, async (session) => {
    const account = chooseAccount(shell, await session.storage.accounts.list(), options.account);
    if (!account) return;
    const isRemoved = await session.storage.labels.remove(account.id, await subjectOf(session, what));
    if (!isRemoved) shell.exitCode = 1;
    if (options.json) shell.json({ removed: isRemoved });
    else shell.print(isRemoved ? 'label removed' : 'there is no such label');
  });
}

async function subjectOf({ loaded }: StorageSession, what: string): Promise<LabelSubject> {
  if (isCheckId(what)) return { checkId: what };
  const privacy = await openPrivacy(loaded);
  const subject = readSubject(what, (canonical) => privacy.hmac(canonical));
  if (typeof subject === 'string') throw new CannotRun(`"${what}": ${subject}`);
  return subject;
}
