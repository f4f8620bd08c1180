import { randomBytes } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import type { Act } from '../../src/accounts/audit-trail.ts';
import type { Person } from '../../src/accounts/person.ts';
import type { Storage } from '../../src/storage/ports.ts';
import type { SeededAccounts } from './accounts.ts';
import { isoOf, momentOf } from './moments.ts';
import type { RuleEdition } from './rule-editions.ts';

export interface SeededPeople {
  /** The emails of all people, the owner first. */
  readonly emails: readonly string[];
  /** The same for all of them. */
  readonly password: string;
}

export interface PeopleParts {
  readonly storage: Storage;
  readonly accounts: SeededAccounts;
  readonly editions: readonly Omit<RuleEdition, 'files'>[];
  readonly until: number;
  readonly nextId: (kind: 'per' | 'act' | 'lnk', at: number) => string;
}

type Deed = Omit<Act, 'person'> & { readonly by: Person; readonly at: number };

/** A person for every role, and what they did in the audit trail. The password has 48 random bits. */
export async function seedPeople({
  storage,
  accounts,
  editions,
  until,
  nextId,
}: PeopleParts): Promise<SeededPeople> {
  const { shop, office } = accounts;
  const password = `demo-${randomBytes(6).toString('hex')}`;
  const passwordHash = await hashPassword(password);
  const make = (name: string, daysBefore: number, roles: Partial<Person>): Person => {
    const at = momentOf(until, daysBefore, 9, 5);
    const email = `${name.toLowerCase().replace(' ', '.')}@postern-demo.example`;
    const none = { operatorRole: null, memberships: [] };
    return { id: nextId('per', at), email, name, createdAt: isoOf(at), ...none, ...roles };
  };
  const mira = make('Mira Holm', 241, { operatorRole: 'owner' });
  const tomas = make('Tomas Reyes', 210, { operatorRole: 'analyst' });
  const ines = make('Ines Duarte', 236, { memberships: [{ accountId: shop, role: 'developer' }] });
  const paul = make('Paul Weber', 90, { memberships: [{ accountId: shop, role: 'viewer' }] });
  const hana = make('Hana Sato', 129, { memberships: [{ accountId: office, role: 'developer' }] });
  const people = [mira, tomas, ines, paul, hana];
  for (const person of people) await join(storage, person, passwordHash, nextId);

  const byEmail = new Map(people.map((person) => [person.email, person]));
  const deeds: Deed[] = [
    { by: mira, at: momentOf(until, 240, 10), action: 'account.created', subject: shop, accountId: shop },
    { by: mira, at: momentOf(until, 130, 10), action: 'account.created', subject: office, accountId: office },
    ...accounts.deeds.map((deed) => ({ ...deed, by: deed.accountId === shop ? ines : hana })),
    ...editions.slice(1).map(({ at, reason, author, version }) => ({
      by: byEmail.get(author ?? '') ?? mira,
      at,
      action: reason === 'rollback' ? ('rules.rolled_back' as const) : ('rules.published' as const),
      detail: { version },
    })),
    ...[0, 1, 2, 3, 6, 7, 8, 9].map((daysBefore) => ({
      by: people[daysBefore % people.length] ?? mira,
      at: Math.min(momentOf(until, daysBefore, 7, 40 + daysBefore), until - 60_000),
      action: 'person.signed_in' as const,
    })),
  ];
  for (const { by, at, ...act } of deeds.sort((one, other) => one.at - other.at)) {
    const whole = { subject: null, accountId: null, detail: {}, ...act };
    const entry = { id: nextId('act', at), at: isoOf(at), personId: by.id, person: by.email, ...whole };
    await storage.peopleStorage.trail.add(entry);
  }
  return { emails: people.map(({ email }) => email), password };
}

/** Makes a person by an invitation, as all people join. */
async function join(
  { peopleStorage: { links } }: Storage,
  person: Person,
  passwordHash: string,
  nextId: PeopleParts['nextId'],
): Promise<void> {
  const at = Date.parse(person.createdAt);
  const id = nextId('lnk', at);
  const { email, operatorRole, memberships } = person;
  const role = operatorRole ?? memberships[0]?.role ?? null;
  const accountId = memberships[0]?.accountId ?? null;
  const link = {
    id,
    purpose: 'invitation' as const,
    email,
    personId: null,
    operatorRole: null,
    membership: null,
    createdBy: null,
    createdAt: isoOf(at - 3_600_000),
    expiresAt: isoOf(at + 86_400_000),
  };
  const entryOf = (then: number) => ({
    id: nextId('act', then),
    at: isoOf(then),
    personId: null,
    person: 'command line',
    subject: id,
    accountId,
  });
  await links.create(
    { ...link, hash: randomBytes(32) },
    { ...entryOf(at - 3_600_000), action: 'link.made', detail: { purpose: link.purpose, email, role } },
  );
  await links.join(
    link,
    { ...person, passwordHash },
    {
      ...entryOf(at),
      personId: person.id,
      person: email,
      action: 'person.joined',
      subject: person.id,
      detail: { role },
    },
  );
}
