import type { Command } from 'commander';
import type { LinkService, MadeLink } from '../accounts/link-service.ts';
import type { PeopleService } from '../accounts/people-service.ts';
import { type Person, presentPerson } from '../accounts/person.ts';
import type { OneTimeLink } from '../storage/people-ports.ts';
import { withStorage } from './open-session.ts';
import { addGroup, type CommonOptions, withCommonOptions } from './options.ts';
import { CannotRun, type Shell } from './shell.ts';

interface Services {
  readonly people: PeopleService;
  readonly links: LinkService;
  /** What stands before the path of a link. */
  readonly origin: string;
}

export function addPeopleCommands(program: Command, shell: Shell): void {
  const people = addGroup(program, 'people', 'who may sign in to the dashboard');

  withCommonOptions(people.command('list'))
    .description('list the people who may sign in')
    .action((options: CommonOptions) =>
      withPeople(shell, options, async (services) =>
        listPeople(shell, await services.people.list(), options),
      ),
    );

  withCommonOptions(people.command('setup-link'))
    .description('make a link, good once for 24 hours, by which a new owner signs in')
    .action((options: CommonOptions) =>
      withPeople(shell, options, async ({ links, origin }) =>
        showLink(shell, await links.makeSetupLink(), origin, options),
      ),
    );

  withCommonOptions(people.command('reset'))
    .description('make a link, good once for 24 hours, by which a person chooses a new password')
    .argument('<email>', 'whose')
    .action((email: string, options: CommonOptions) =>
      withPeople(shell, options, async ({ people: service, links, origin }) => {
        const person = findPerson(shell, await service.list(), email);
        if (person) showLink(shell, await links.makePasswordLink(person, null), origin, options);
      }),
    );

  withCommonOptions(people.command('links'))
    .description('list the unused links, without their secret')
    .action((options: CommonOptions) =>
      withPeople(shell, options, async ({ links }) => listLinks(shell, await links.listOpen(), options)),
    );

  withCommonOptions(people.command('revoke-link'))
    .description('let a link open nothing any more')
    .argument('<id>', 'as `people links` has it')
    .action((id: string, options: CommonOptions) =>
      withPeople(shell, options, async ({ links }) => {
        const link = await links.revoke(id, null);
        if (!link) {
          shell.note(`there is no open link "${id}"`);
          shell.exitCode = 1;
        } else if (options.json) shell.json({ link: presentLink(link) });
        else shell.print(`${id} revoked`);
      }),
    );

  withCommonOptions(people.command('remove'))
    .description('remove a person; its sessions end')
    .argument('<email>', 'who')
    .action((email: string, options: CommonOptions) =>
      withPeople(shell, options, async ({ people: service }) => {
        const person = findPerson(shell, await service.list(), email);
        if (!person) return;
        await service.remove(person.id, null);
        if (options.json) shell.json({ person: presentPerson(person) });
        else shell.print(`${person.id} removed`);
      }),
    );
}

async function withPeople(
  shell: Shell,
  options: CommonOptions,
  work: (services: Services) => Promise<void>,
): Promise<void> {
  await withStorage(shell, options, { create: false }, async ({ loaded, storage }) => {
    const [{ PeopleService }, { LinkService }, { AuditTrail }, { systemClock }] = await Promise.all([
      import('../accounts/people-service.ts'),
      import('../accounts/link-service.ts'),
      import('../accounts/audit-trail.ts'),
      import('../lib/system-clock.ts'),
    ]);
    const { enabled } = loaded.config.dashboard;
    if (!enabled) throw new CannotRun('dashboard.enabled is false: signing in is not possible.');
    const { people, links, trail: entries } = storage.peopleStorage;
    const trail = new AuditTrail(entries, systemClock);
    await work({
      people: new PeopleService(people, storage.accounts, trail),
      links: new LinkService(links, trail, systemClock),
      origin: `https://localhost:${loaded.config.http.port}`,
    });
  });
}

async function showLink(
  shell: Shell,
  { link, token }: MadeLink,
  origin: string,
  { json }: CommonOptions,
): Promise<void> {
  const { linkPath } = await import('../accounts/link-service.ts');
  const url = origin + linkPath(token);
  if (json) {
    shell.json({ link: url, expires_at: link.expiresAt });
    return;
  }
  // The link alone on standard output, so that a script can catch it.
  shell.print(url);
  shell.note(
    `Good once, until ${link.expiresAt}. Where people reach Postern by another name, put that in place of ${origin}.`,
  );
}

async function listPeople(shell: Shell, people: readonly Person[], { json }: CommonOptions): Promise<void> {
  if (json) {
    shell.json({ people: people.map(presentPerson) });
    return;
  }
  const { renderTable } = await import('./render/table.ts');
  const rows = people.map(({ email, name, operatorRole, memberships, createdAt }) => [
    email,
    name,
    operatorRole ?? memberships.map(({ accountId, role }) => `${role} of ${accountId}`).join(', '),
    createdAt,
  ]);
  shell.print(renderTable(shell, ['email', 'name', 'may', 'joined'], rows));
}

async function listLinks(
  shell: Shell,
  links: readonly OneTimeLink[],
  { json }: CommonOptions,
): Promise<void> {
  if (json) {
    shell.json({ links: links.map(presentLink) });
    return;
  }
  const { renderTable } = await import('./render/table.ts');
  const rows = links.map(({ id, purpose, email, createdAt, expiresAt }) => [
    ...[id, purpose, email ?? 'its holder', createdAt, expiresAt],
  ]);
  shell.print(renderTable(shell, ['id', 'purpose', 'for', 'made', 'ends'], rows));
}

function findPerson(shell: Shell, people: readonly Person[], email: string): Person | undefined {
  const person = people.find((one) => one.email === email.toLowerCase());
  if (person) return person;
  shell.note(`there is no person with the email "${email}"`);
  shell.exitCode = 1;
  return undefined;
}

function presentLink({ id, purpose, email, createdBy, createdAt, expiresAt }: OneTimeLink) {
  return {
    id,
    purpose,
    email,
    created_by: createdBy,
    created_at: createdAt,
    expires_at: expiresAt,
  };
}
