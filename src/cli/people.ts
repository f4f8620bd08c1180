import type { Command } from 'commander';
import { AuditTrail } from '../accounts/audit-trail.ts';
import { LinkService, type MadeLink, presentOpenLink } from '../accounts/link-service.ts';
import { PeopleService } from '../accounts/people-service.ts';
import { type Person, presentPerson } from '../accounts/person.ts';
import { shownHost } from '../http/server/certificate.ts';
import { systemClock } from '../lib/time.ts';
import { onStorage, type StorageSession } from './open-session.ts';
import { addCommand } from './options.ts';
import { answerTable } from './render/table.ts';
import { CannotRun, NotThere, type Shell } from './shell.ts';

export function addCommands(group: Command, shell: Shell): void {
  const onPeople = <Given extends readonly unknown[]>(
    work: (services: ReturnType<typeof openPeople>, ...given: Given) => Promise<void>,
  ) => onStorage(shell, (session, ...given: Given) => work(openPeople(session), ...given));

  addCommand(group, 'list', 'list the people who may sign in').action(
    onPeople(async ({ people }) => {
      const all = await people.list();
      const rows = all.map(({ email, name, operatorRole, memberships, createdAt }) => {
        const roles = memberships.map(({ accountId, role }) => `${role} of ${accountId}`);
        return [email, name, operatorRole ?? roles.join(', '), createdAt];
      });
      answerTable(shell, { people: all.map(presentPerson) }, ['email', 'name', 'may', 'joined'], rows);
    }),
  );

  addCommand(
    group,
    'setup-link',
    'make a link, good once for 24 hours, by which a new owner signs in',
  ).action(onPeople(async ({ links, origin }) => answerLink(shell, await links.makeSetupLink(), origin)));

  addCommand(group, 'reset', 'make a link, good once for 24 hours, by which a person chooses a new password')
    .argument('<email>', 'whose')
    .action(
      onPeople(async ({ people, links, origin }, email: string) => {
        const person = findPerson(await people.list(), email);
        answerLink(shell, await links.makePasswordLink(person, null), origin);
      }),
    );

  addCommand(group, 'links', 'list the unused links, without their secret').action(
    onPeople(async ({ links }) => {
      const open = (await links.listOpen()).map(presentOpenLink);
      const rows = open.map((link) => [
        link.id,
        link.purpose,
        link.email ?? 'its holder',
        link.created_at,
        link.expires_at,
      ]);
      answerTable(shell, { links: open }, ['id', 'purpose', 'for', 'made', 'ends'], rows);
    }),
  );

  addCommand(group, 'revoke-link', 'revoke an unused link')
    .argument('<id>', 'as `people links` has it')
    .action(
      onPeople(async ({ links }, id: string) => {
        const link = await links.revoke(id, null);
        if (!link) throw new NotThere(`there is no open link "${id}"`);
        shell.answer({ link: presentOpenLink(link) }, () => shell.print(`${id} revoked`));
      }),
    );

  addCommand(group, 'remove', 'remove a person; its sessions end')
    .argument('<email>', 'who')
    .action(
      onPeople(async ({ people }, email: string) => {
        const person = findPerson(await people.list(), email);
        await people.remove(person.id, null);
        shell.answer({ person: presentPerson(person) }, () => shell.print(`${person.id} removed`));
      }),
    );
}

function openPeople({ loaded, storage }: StorageSession) {
  const { dashboard, http } = loaded.config;
  if (!dashboard.enabled) throw new CannotRun('dashboard.enabled is false: signing in is not possible.');
  const { people, links, trail: entries } = storage.peopleStorage;
  const trail = new AuditTrail(entries, systemClock);
  return {
    people: new PeopleService(people, storage.accounts, trail),
    links: new LinkService(links, trail, systemClock),
    /** Before the path of a link. */
    origin: `https://${shownHost(http)}:${http.port}`,
  };
}

/** The link alone on standard output, so that a script can catch it. */
function answerLink(shell: Shell, { link, path }: MadeLink, origin: string): void {
  const url = origin + path;
  shell.answer({ link: url, expires_at: link.expiresAt }, () => {
    shell.print(url);
    shell.note(
      `Good once, until ${link.expiresAt}. Where people reach Postern by another name, put that in place of ${origin}.`,
    );
  });
}

function findPerson(people: readonly Person[], email: string): Person {
  const person = people.find((one) => one.email === email.toLowerCase());
  if (!person) throw new NotThere(`there is no person with the email "${email}"`);
  return person;
}
