import { type Command, Option } from 'commander';
import { type ApiKey, ENVIRONMENTS, type Environment, keyState, presentKey } from '../accounts/key.ts';
import { AppError } from '../errors.ts';
import { DAY_MS, systemClock } from '../lib/time.ts';
import { accountIdOf, findAccount } from './accounts.ts';
import { keysOf, noteOf, onStorage, type StorageSession } from './open-session.ts';
import { addCommand, parseGrace } from './options.ts';
import { answerTable, type Cell } from './render/table.ts';
import { NotThere, printable, type Shell } from './shell.ts';

export function addCommands(keys: Command, shell: Shell): void {
  addCommand(keys, 'create', 'make a key; its secret is shown this once')
    .requiredOption('--account <account>', 'whose key it is: the id or the exact name of an account')
    .addOption(
      new Option('--env <environment>', 'what the key is for').choices(ENVIRONMENTS).makeOptionMandatory(),
    )
    .option('--name <name>', 'to tell it from other keys')
    .action(onStorage(shell, createKey));

  addCommand(keys, 'list', 'list the keys; no secret is shown')
    .option('--account <account>', 'of this account only: an id or a name')
    .action(onStorage(shell, listKeys));

  addCommand(
    keys,
    'rotate',
    'make a new secret for a key; it is shown this once, and the old one goes on for a while',
  )
    .argument('<key-id>', 'key_…')
    .addOption(
      new Option('--grace <time>', 'how long the old secret still works: 30m, 24h, 7d, or 0')
        .argParser(parseGrace)
        // Long enough for a team that deploys once a day.
        .default(DAY_MS, '24h'),
    )
    .action(onStorage(shell, rotateKey));

  addCommand(keys, 'revoke', 'revoke a key; the next request with it is refused')
    .argument('<key-id>', 'key_…')
    .action(
      onStorage(shell, async (session, id: string) => {
        const key = await keysOf(session).revokeKey(id, noteOf(session)).catch(asNotThere);
        shell.answer({ key: present(key) }, () =>
          shell.print(`${printable(key.id)} revoked at ${key.revokedAt}`),
        );
      }),
    );
}

async function createKey(
  session: StorageSession,
  options: { readonly account: string; readonly env: Environment; readonly name?: string },
): Promise<void> {
  const account = findAccount(await session.storage.accounts.list(), options.account);
  const wanted = { accountId: account.id, environment: options.env, name: options.name ?? null };
  const { key, secret } = await keysOf(session).createKey(wanted, noteOf(session));
  const remark = `${key.id} for ${account.name} (${key.environment}).`;
  answerSecret(session.shell, { key: present(key), secret }, remark);
}

/** The secret alone on standard output, so that a script can catch it. */
function answerSecret(
  shell: Shell,
  answer: { readonly key: unknown; readonly secret: string; readonly previous?: unknown },
  remark: string,
): void {
  shell.answer(answer, () => {
    shell.print(answer.secret);
    shell.note(`${remark} Keep the secret now: it is not stored.`);
  });
}

async function listKeys({ shell, storage }: StorageSession, { account }: { readonly account?: string }) {
  const keys = await storage.keys.list(await accountIdOf(storage, account));
  const now = systemClock.now();
  const names = new Map((await storage.accounts.list()).map(({ id, name }) => [id, name]));
  const rows = keys.map((key) => [
    key.id,
    names.get(key.accountId) ?? key.accountId,
    key.environment,
    key.name,
    `${key.prefix}…`,
    key.createdAt,
    describeState(key, now),
  ]);
  const headings = ['key', 'account', 'env', 'name', 'secret', 'created', 'state'];
  answerTable(shell, { keys: keys.map(present) }, headings, rows);
}

async function rotateKey(session: StorageSession, id: string, { grace }: { readonly grace: number }) {
  const { key, secret, previous } = await keysOf(session)
    .rotateKey(id, grace, noteOf(session))
    .catch(asNotThere);
  const end = grace === 0 ? 'is refused from now on' : `works until ${previous.expiresAt}`;
  const answer = { key: present(key), secret, previous: present(previous) };
  answerSecret(session.shell, answer, `${key.id} takes the place of ${id}, which ${end}.`);
}

function asNotThere(error: unknown): never {
  throw error instanceof AppError && error.code === 'not_found' ? new NotThere(error.message) : error;
}

function describeState(key: ApiKey, now: number): Cell {
  const { revokedAt, expiresAt, replacedBy, seenInClearAt } = key;
  switch (keyState(key, now)) {
    case 'revoked':
      return { text: `revoked ${revokedAt}`, style: 'dim' };
    case 'ending':
      // A database that was restored from before the rotation does not know the new key.
      return {
        text: `ends ${expiresAt}${replacedBy === null ? '' : `: use ${replacedBy}`}`,
        style: 'yellow',
      };
    case 'ended':
      return { text: `ended ${expiresAt}`, style: 'dim' };
    case 'active':
      return seenInClearAt === null
        ? { text: 'active', style: 'green' }
        : { text: `came in clear ${seenInClearAt}: replace it`, style: 'red' };
  }
}

function present(key: ApiKey) {
  return { ...presentKey(key), account_id: key.accountId };
}
