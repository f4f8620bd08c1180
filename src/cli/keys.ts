import { type Command, Option } from 'commander';
import { type ApiKey, ENVIRONMENTS, type Environment, keyState, presentKey } from '../accounts/key.ts';
import { KeyNameError, type KeyService, NotFoundError, NotRotatableError } from '../accounts/key-service.ts';
import { systemClock } from '../lib/system-clock.ts';
import { findAccount } from './accounts.ts';
import { withKeyService } from './open-session.ts';
import { addCommand, type CommonOptions, parseGrace } from './options.ts';
import { printable } from './render/printable.ts';
import { type Cell, printTable } from './render/table.ts';
import { NotThere, orCannotRun, type Shell } from './shell.ts';

export function addCommands(keys: Command, shell: Shell): void {
  addCommand(keys, 'create', 'make a key; its secret is shown this once')
    .requiredOption('--account <account>', 'whose key it is: the id or the exact name of an account')
    .addOption(
      new Option('--env <environment>', 'what the key is for').choices(ENVIRONMENTS).makeOptionMandatory(),
    )
    .option('--name <name>', 'to tell it from other keys')
    .action((options: CreateOptions) =>
      withKeyService(shell, options, (service) => createKey(shell, service, options)),
    );

  addCommand(keys, 'list', 'list the keys; no secret is shown')
    .option('--account <account>', 'of this account only: an id or a name')
    .action((options: ListOptions) =>
      withKeyService(shell, options, (service) => listKeys(shell, service, options)),
    );

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
        .default(86_400_000, '24h'),
    )
    .action((id: string, options: RotateOptions) =>
      withKeyService(shell, options, (service) => rotateKey(shell, service, id, options)),
    );

  addCommand(keys, 'revoke', 'revoke a key; the next request with it is refused')
    .argument('<key-id>', 'key_…')
    .action((id: string, options: CommonOptions) =>
      withKeyService(shell, options, async (service) => {
        const key = await service.revokeKey(id).catch(asNotThere);
        shell.answer(options, { key: present(key) }, () =>
          shell.print(`${printable(key.id)} revoked at ${key.revokedAt}`),
        );
      }),
    );
}

interface CreateOptions extends CommonOptions {
  readonly account: string;
  readonly env: Environment;
  readonly name?: string;
}

async function createKey(shell: Shell, service: KeyService, options: CreateOptions): Promise<void> {
  const account = findAccount(await service.listAccounts(), options.account);
  const wanted = { accountId: account.id, environment: options.env, name: options.name ?? null };
  const { key, secret } = await orCannotRun(() => service.createKey(wanted), KeyNameError);
  const remark = `${key.id} for ${account.name} (${key.environment}).`;
  answerSecret(shell, options, { key: present(key), secret }, remark);
}

/** The secret alone on standard output, so that a script can catch it. */
function answerSecret(
  shell: Shell,
  options: CommonOptions,
  answer: { readonly key: unknown; readonly secret: string; readonly previous?: unknown },
  remark: string,
): void {
  shell.answer(options, answer, () => {
    shell.print(answer.secret);
    shell.note(`${remark} Keep the secret now: it is not stored.`);
  });
}

interface ListOptions extends CommonOptions {
  readonly account?: string;
}

async function listKeys(shell: Shell, service: KeyService, options: ListOptions): Promise<void> {
  const accounts = await service.listAccounts();
  const account = options.account === undefined ? undefined : findAccount(accounts, options.account);
  const keys = await service.listKeys(account?.id);
  const now = systemClock.now();
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const rows = keys.map((key) => [
    ...[key.id, names.get(key.accountId) ?? key.accountId, key.environment, key.name],
    ...[`${key.prefix}…`, key.createdAt, describeState(key, now)],
  ]);
  shell.answer(options, { keys: keys.map(present) }, () =>
    printTable(shell, ['key', 'account', 'env', 'name', 'secret', 'created', 'state'], rows),
  );
}

interface RotateOptions extends CommonOptions {
  readonly grace: number;
}

async function rotateKey(
  shell: Shell,
  service: KeyService,
  id: string,
  options: RotateOptions,
): Promise<void> {
  const rotate = () => service.rotateKey(id, options.grace).catch(asNotThere);
  const { key, secret, previous } = await orCannotRun(rotate, NotRotatableError);
  const end = options.grace === 0 ? 'is refused from now on' : `works until ${previous.expiresAt}`;
  const answer = { key: present(key), secret, previous: present(previous) };
  answerSecret(shell, options, answer, `${key.id} takes the place of ${id}, which ${end}.`);
}

function asNotThere(error: unknown): never {
  throw error instanceof NotFoundError ? new NotThere(error.message) : error;
}

function describeState(key: ApiKey, now: number): Cell {
  const { revokedAt, expiresAt, replacedBy, seenInClearAt } = key;
  switch (keyState(key, now)) {
    case 'revoked':
      return { text: `revoked ${revokedAt}`, style: 'dim' };
    case 'ending':
      return { text: `ends ${expiresAt}: use ${replacedBy}`, style: 'yellow' };
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
