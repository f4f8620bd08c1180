import { expect, it } from 'vitest';
import { type Access, may } from '../../dashboard/src/access.ts';

type Person = readonly [
  operator: 'owner' | 'analyst' | null,
  account: 'developer' | 'viewer' | 'operator' | null,
];
const OWNER: Person = ['owner', 'operator'];
const ANALYST: Person = ['analyst', 'operator'];
const DEVELOPER: Person = [null, 'developer'];
const VIEWER: Person = [null, 'viewer'];
const NOBODYS: Person = [null, null];
const PEOPLE = [OWNER, ANALYST, DEVELOPER, VIEWER, NOBODYS];

it.each<[Access, readonly Person[]]>([
  ['signed_in', PEOPLE],
  [{ operator: 'owner' }, [OWNER]],
  [{ operator: 'analyst' }, [OWNER, ANALYST]],
  [{ account: 'developer' }, [OWNER, DEVELOPER]],
  [{ account: 'viewer' }, [OWNER, ANALYST, DEVELOPER, VIEWER]],
])('%j is open to the roles that its endpoints accept, and no others', (access, expected) => {
  const admitted = PEOPLE.filter(([operator_role, role]) =>
    may(access, { operator_role }, role === null ? undefined : { role }),
  );
  expect(admitted).toEqual(expected);
});

it('an analyst with the developer role in the account in view may do what developers may', () => {
  expect(may({ account: 'developer' }, { operator_role: 'analyst' }, { role: 'developer' })).toBe(true);
});
