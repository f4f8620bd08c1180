import type { MadeLink } from '../../../accounts/people/link-service.ts';
import { linkPath } from '../../../accounts/people/one-time-token.ts';
import type { Membership, Person } from '../../../accounts/people/person.ts';
import type { OneTimeLink } from '../../../storage/people-ports.ts';

export function presentMembership({ accountId, role }: Membership) {
  return { account_id: accountId, role };
}

export function presentPerson({ id, email, name, operatorRole, memberships, createdAt }: Person) {
  return {
    id,
    email,
    name,
    operator_role: operatorRole,
    memberships: memberships.map(presentMembership),
    created_at: createdAt,
  };
}

export function presentMadeLink({ link, token }: MadeLink) {
  return { id: link.id, path: linkPath(token), expires_at: link.expiresAt };
}

export function presentOpenLink(link: OneTimeLink) {
  const { id, purpose, email, personId, operatorRole, membership, createdBy, createdAt, expiresAt } = link;
  return {
    id,
    purpose,
    email,
    person_id: personId,
    operator_role: operatorRole,
    membership: membership && presentMembership(membership),
    created_by: createdBy,
    created_at: createdAt,
    expires_at: expiresAt,
  };
}
