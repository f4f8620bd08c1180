import { type Command, Option } from 'commander';
import { type ApiKey, ENVIRONMENTS, type Environment, isUsable, presentKey } from '../accounts/key.ts';
import type { KeyService } from '../accounts/key-service.ts';
import { systemClock } from '../lib/system-clock.ts';
import { findAccount } from './accounts.ts';
import { withKeyService } from './open-session.ts';
import { addGroup, type CommonOptions, parseGrace, withCommonOptions } from './options.ts';
import { printable } from './render/printable.ts';
import type { Cell } from './render/table.ts';
import { CannotRun, type Shell } from './shell.ts';

interface CreateOptions extends CommonOptions {
  readonly account: string;
  readonly env: Environment;
  readonly name?: string;
}

interface RotateOptions extends CommonOptions {
  readonly grace: number;
}

interface ListOptions extends CommonOptions {
  readonly account?: string;
}

export function addKeyCommands(program: Command, shell: Shell): void {
  const keys = addGroup(program, 'keys', 'API keys');

  withCommonOptions(keys.command('create'))
    .description('make a key; its secret is shown this once')
    .requiredOption('--account <account>', 'whose key it is: the id or the exact name of an account')
    .addOption(
      new Option('--env <environment>', 'what the key is for').choices(ENVIRONMENTS).makeOptionMandatory(),
    )
    .option('--name <name>', 'to tell it from other keys')
    .action((options: CreateOptions) =>
      withKeyService(shell, options, { create: false }, (service) => createKey(shell, service, options)),
    );

  withCommonOptions(keys.command('list'))
    .description('list the keys; no secret is shown')
    .option('--account <account>', 'of this account only: an id or a name')
    .action((options: ListOptions) =>
      withKeyService(shell, options, { create: false }, (service) => listKeys(shell, service, options)),
    );

  withCommonOptions(keys.command('rotate'))
    .description('make a new secret for a key; it is shown this once, and the old one goes on for a while')
    .argument('<key-id>', 'key_…')
    .addOption(
      new Option('--grace <time>', 'how long the old secret still works: 30m, 24h, 7d, or 0')
        .argParser(parseGrace)
        // Long enough for a team that deploys once a day.
        .default(86_400_000, '24h'),
    )
    .action((id: string, options: RotateOptions) =>
      withKeyService(shell, options, { create: false }, (service) => rotateKey(shell, service, id, options)),
    );

  withCommonOptions(keys.command('revoke'))
    .description('revoke a key; the next request with it is refused')
    .argument('<key-id>', 'key_…')
    .action((id: string, options: CommonOptions) =>
      withKeyService(shell, options, { create: false }, (service) => revokeKey(shell, service, id, options)),
    );
}

async function createKey(shell: Shell, service: KeyService, options: CreateOptions): Promise<void> {
  const account = findAccount(shell, await service.listAccounts(), options.account);
  if (!account) return;
  const { KeyNameError } = await import('../accounts/key-service.ts');
  const wanted = { accountId: account.id, environment: options.env, name: options.name ?? null };
  const { key, secret } = await service.createKey(wanted).catch((error: unknown) => {
    throw error instanceof KeyNameError ? new CannotRun(error.message) : error;
  });
  if (options.json) {
    shell.json({ key: present(key), secret });
    return;
  }
  // The secret alone on standard output, so that a script can catch it.
  shell.print(secret);
  shell.note(`${key.id} for ${account.name} (${key.environment}). Keep the secret now: it is not stored.`);
}

async function listKeys(shell: Shell, service: KeyService, options: ListOptions): Promise<void> {
  const account =
    options.account === undefined ? null : findAccount(shell, await service.listAccounts(), options.account);
  if (account === undefined) return;
  const keys = await service.listKeys(account?.id);
  if (options.json) {
    shell.json({ keys: keys.map(present) });
    return;
  }
  const { renderTable } = await import('./render/table.ts');
  const now = systemClock.now();
  const names = new Map((await service.listAccounts()).map(({ id, name }) => [id, name]));
  shell.print(
    renderTable(
      shell,
      ['key', 'account', 'env', 'name', 'secret', 'created', 'state'],
      keys.map((key) => [
        key.id,
        names.get(key.accountId) ?? key.accountId,
        key.environment,
        key.name,
        `${key.prefix}…`,
        key.createdAt,
        stateOf(key, now),
      ]),
    ),
  );
}

async function rotateKey(
  shell: Shell,
  service: KeyService,
  id: string,
  options: RotateOptions,
): Promise<void> {
  const { NotFoundError, NotRotatableError } = await import('../accounts/key-service.ts');
  try {
    const { key, secret, previous } = await service.rotateKey(id, options.grace);
    if (options.json) {
      shell.json({ key: present(key), secret, previous: present(previous) });
      return;
    }
    shell.print(secret);
    const end = options.grace === 0 ? 'is refused from now on' : `works until ${previous.expiresAt}`;
    shell.note(`${key.id} takes the place of ${id}, which ${end}. Keep the secret now: it is not stored.`);
  } catch (error) {
    if (error instanceof NotRotatableError) throw new CannotRun(error.message);
    if (!(error instanceof NotFoundError)) throw error;
    shell.note(error.message);
    shell.exitCode = 1;
  }
}

async function revokeKey(
  shell: Shell,
  service: KeyService,
  id: string,
  options: CommonOptions,
): Promise<void> {
  const { NotFoundError } = await import('../accounts/key-service.ts');
  try {
    const key = await service.revokeKey(id);
    if (options.json) shell.json({ key: present(key) });
    else shell.print(`${printable(key.id)} revoked at ${key.revokedAt}`);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    shell.note(error.message);
    shell.exitCode = 1;
  }
}

function stateOf(key: ApiKey, now: number): Cell {
  const { revokedAt, expiresAt, replacedBy, seenInClearAt } = key;
  if (revokedAt !== null) return { text: `revoked ${revokedAt}`, style: 'dim' };
  if (expiresAt !== null) {
    return isUsable(key, now)
      ? { text: `ends ${expiresAt}: use ${replacedBy}`, style: 'yellow' }
      : { text: `ended ${expiresAt}`, style: 'dim' };
  }
  if (seenInClearAt !== null) return { text: `came in clear ${seenInClearAt}: replace it`, style: 'red' };
  return { text: 'active', style: 'green' };
}

function present(key: ApiKey): Record<string, unknown> {
  return { ...presentKey(key), account_id: key.accountId };
}
