import type { Person } from '../../src/accounts/person.ts';
import type { AuditAction, TrailEntry } from '../../src/storage/people-ports.ts';
import type { Storage } from '../../src/storage/ports.ts';

const AT = '2026-11-20T10:00:00.000Z';

/** An audit trail entry for an action at an instant. */
export function entryOf(id: string, action: AuditAction, at = AT): TrailEntry {
  return { id, at, personId: null, person: 'test', action, subject: null, accountId: null, detail: {} };
}

/** Makes a person with a role, by an invitation link that is used up at once. */
export async function addPerson(
  { peopleStorage: { links } }: Pick<Storage, 'peopleStorage'>,
  name: string,
  operatorRole: Person['operatorRole'],
  passwordHash = 'not known',
): Promise<void> {
  const link = {
    ...({ id: `lnk_${name}`, purpose: 'invitation', email: `${name}@firm.example`, personId: null } as const),
    ...{ operatorRole, membership: null, createdBy: null, createdAt: AT, expiresAt: '9999' },
  };
  await links.create({ ...link, hash: Buffer.from(name) }, entryOf(`act_${name}_1`, 'link.made'));
  const person = { id: `per_${name}`, email: link.email, name, operatorRole, memberships: [], createdAt: AT };
  await links.join(link, { ...person, passwordHash }, entryOf(`act_${name}_2`, 'person.joined'));
}
