import { LONGEST_PASSWORD } from '../../../accounts/password-policy.ts';
import { ACCOUNT_ROLES, OPERATOR_ROLES } from '../../../accounts/person.ts';
import { LONGEST_NAME } from '../../../lib/text.ts';
import { LINK_PURPOSES } from '../../../storage/people-ports.ts';
import { closed, INSTANT, listOf, nullable, record, TEXT, words } from '../../json-types.ts';

export const OPERATOR_ROLE = { type: 'string', enum: OPERATOR_ROLES } as const;
const ACCOUNT_ROLE = { type: 'string', enum: ACCOUNT_ROLES } as const;

/** The same pattern that sign-in applies: a person who joined with an email outside it could not sign in. */
export const EMAIL = {
  type: 'string',
  maxLength: 254,
  pattern:
    "^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9_'+\\-.]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$",
  description: 'An email address: name@firm.example',
} as const;
/** As it is typed; the policy applies where a new one is chosen. */
export const PASSWORD = { type: 'string', minLength: 1, maxLength: 4 * LONGEST_PASSWORD } as const;
export const NAME = words(LONGEST_NAME);
export const TOKEN = { type: 'string', minLength: 1, maxLength: 100 } as const;

export const MEMBERSHIP = record('membership', { account_id: TEXT, role: ACCOUNT_ROLE });

export const ROLES = record('roles', {
  operator_role: nullable(OPERATOR_ROLE),
  memberships: { type: 'array', items: MEMBERSHIP, maxItems: 1_000 },
});

export const PERSON = record('person', {
  id: TEXT,
  email: TEXT,
  name: TEXT,
  operator_role: nullable(OPERATOR_ROLE),
  memberships: listOf(MEMBERSHIP),
  created_at: INSTANT,
});

/** A link that was made. The person who made it hands over the URL of the dashboard with this path behind it. */
export const MADE_LINK = record('made_link', {
  id: TEXT,
  path: { type: 'string', description: 'Shown this once: `/setup#…`.' },
  expires_at: INSTANT,
});

/** A link as lists show it: without its token. */
export const OPEN_LINK = record('open_link', {
  id: TEXT,
  purpose: { type: 'string', enum: LINK_PURPOSES },
  email: nullable(TEXT, 'Whom it is for; null where the person who uses it says.'),
  person_id: nullable(TEXT, 'Whose password it sets.'),
  operator_role: nullable(OPERATOR_ROLE),
  membership: nullable(MEMBERSHIP),
  created_by: nullable(TEXT),
  created_at: INSTANT,
  expires_at: INSTANT,
});

/** As an operator or as a member of one account; further memberships are given once the person has joined. */
export const NEW_INVITATION = closed({
  email: EMAIL,
  operator_role: nullable(OPERATOR_ROLE),
  membership: nullable(MEMBERSHIP),
});
