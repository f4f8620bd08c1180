import { LONGEST_PASSWORD } from '../../../accounts/password-policy.ts';
import { ACCOUNT_ROLES, OPERATOR_ROLES } from '../../../accounts/person.ts';
import { LONGEST_NAME } from '../../../lib/text.ts';
import { LINK_PURPOSES } from '../../../storage/people-ports.ts';
import { closed, INSTANT, listOf, named, nullable, TEXT, words } from '../json-types.ts';

export const OPERATOR_ROLE = { type: 'string', enum: OPERATOR_ROLES } as const;
const ACCOUNT_ROLE = { type: 'string', enum: ACCOUNT_ROLES } as const;

/** What sign-in reads as an email too; whoever joins under another could not sign in. */
export const EMAIL = {
  type: 'string',
  maxLength: 254,
  pattern:
    "^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9_'+\\-.]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$",
  description: 'An email address: name@firm.example',
} as const;
/** As it is typed; what makes a good one is told when one is chosen. */
export const PASSWORD = { type: 'string', minLength: 1, maxLength: 4 * LONGEST_PASSWORD } as const;
export const NAME = words(LONGEST_NAME);
export const TOKEN = { type: 'string', minLength: 1, maxLength: 100 } as const;

export const MEMBERSHIP = named('membership', closed({ account_id: TEXT, role: ACCOUNT_ROLE }));

export const ROLES = named(
  'roles',
  closed({
    operator_role: nullable(OPERATOR_ROLE),
    memberships: { type: 'array', items: MEMBERSHIP, maxItems: 1_000 },
  }),
);

export const PERSON = named(
  'person',
  closed({
    id: TEXT,
    email: TEXT,
    name: TEXT,
    operator_role: nullable(OPERATOR_ROLE),
    memberships: listOf(MEMBERSHIP),
    created_at: INSTANT,
  }),
);

export const PEOPLE = closed({ people: listOf(PERSON) });

/** A link that was made: whoever made it hands it over, after the address that people reach Postern by. */
export const MADE_LINK = named(
  'made_link',
  closed({
    id: TEXT,
    path: { type: 'string', description: 'Shown this once: `/setup#…`.' },
    expires_at: INSTANT,
  }),
);

/** What is told of a link that was made: never what it opens by. */
const OPEN_LINK = named(
  'open_link',
  closed({
    id: TEXT,
    purpose: { type: 'string', enum: LINK_PURPOSES },
    email: { ...nullable(TEXT), description: 'Whom it is for; null where whoever has it may say.' },
    person_id: { ...nullable(TEXT), description: 'Whose password it sets.' },
    operator_role: nullable(OPERATOR_ROLE),
    membership: nullable(MEMBERSHIP),
    created_by: nullable(TEXT),
    created_at: INSTANT,
    expires_at: INSTANT,
  }),
);

export const OPEN_LINKS = closed({ links: listOf(OPEN_LINK) });

/** As an operator or as a member of one account; more can be given when the person is there. */
export const NEW_INVITATION = closed({
  email: EMAIL,
  operator_role: nullable(OPERATOR_ROLE),
  membership: nullable(MEMBERSHIP),
});
