import type { Membership, Roles } from '../../api/people.ts';

/** One thing that a person may be: an operator, or a member of an account. Radio buttons and menus name it by `value`. */
export const OPERATOR_ROLES = [
  {
    value: 'owner',
    label: 'Owner',
    description: 'May do everything: people, accounts, keys, rules.',
  },
  {
    value: 'analyst',
    label: 'Analyst',
    description: 'Changes rules and lists, and sees the figures of every account. Issues no keys.',
  },
] as const;

export const ACCOUNT_ROLES = [
  {
    value: 'developer',
    label: 'Developer',
    description: 'Issues and revokes keys of the account, and labels its checks.',
  },
  { value: 'viewer', label: 'Viewer', description: 'Looks at the keys, checks and figures of the account.' },
] as const;

/** "Owner", or "Developer of Northwind Store, viewer of …". */
export function describeRoles(
  { operator_role, memberships }: Roles,
  nameOf: (accountId: string) => string,
): string {
  const operator = OPERATOR_ROLES.find(({ value }) => value === operator_role);
  const parts = [...(operator ? [operator.label] : []), ...memberships.map((one) => describe(one, nameOf))];
  const text = parts.join(', ');
  return text === '' ? 'No role: sees nothing' : text.charAt(0).toUpperCase() + text.slice(1);
}

function describe({ account_id, role }: Membership, nameOf: (accountId: string) => string): string {
  return `${role} of ${nameOf(account_id)}`;
}
