import type { Account } from '../../../accounts/keys/key.ts';
import type { Person } from '../../../accounts/people/person.ts';
import { readVersion } from '../../../app/version.ts';

/** What is told whoever is not signed in. */
export function presentNobody(demo: boolean) {
  return { person: null, operator_role: null, accounts: [], version: readVersion(), demo };
}

/** Operators may look into every account; others into those that they are members of. */
export function presentSession(person: Person, accounts: readonly Account[], demo: boolean) {
  const { id, email, name, operatorRole, memberships } = person;
  const roles = new Map(memberships.map(({ accountId, role }) => [accountId, role]));
  return {
    person: { id, email, name },
    operator_role: operatorRole,
    accounts: accounts.flatMap((account) => {
      const role = operatorRole === null ? roles.get(account.id) : ('operator' as const);
      return role === undefined ? [] : [{ id: account.id, name: account.name, role }];
    }),
    version: readVersion(),
    demo,
  };
}
