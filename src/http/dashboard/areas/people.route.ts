import { LinkService, type MadeLink, presentOpenLink } from '../../../accounts/link-service.ts';
import { LONGEST_PASSWORD } from '../../../accounts/password-policy.ts';
import { PeopleService } from '../../../accounts/people-service.ts';
import { ACCOUNT_ROLES, OPERATOR_ROLES, presentPerson } from '../../../accounts/person.ts';
import { AppError } from '../../../errors.ts';
import { LONGEST_NAME } from '../../../lib/text.ts';
import { LINK_PURPOSES, type Roles } from '../../../storage/people-ports.ts';
import { closed, INSTANT, listOf, nullable, type Of, record, TEXT, words } from '../../json-types.ts';
import { areaOf } from '../endpoint.ts';

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
/** A password as typed. The password policy is checked only where a new one is chosen. */
export const PASSWORD = { type: 'string', minLength: 1, maxLength: 4 * LONGEST_PASSWORD } as const;
export const NAME = words(LONGEST_NAME);
export const TOKEN = { type: 'string', minLength: 1, maxLength: 100 } as const;

const MEMBERSHIP = record('membership', { account_id: TEXT, role: ACCOUNT_ROLE });

const ROLES = record('roles', {
  operator_role: nullable(OPERATOR_ROLE),
  memberships: { type: 'array', items: MEMBERSHIP, maxItems: 1_000 },
});

function readRoles({ operator_role: operatorRole, memberships }: Of<typeof ROLES>): Roles {
  return {
    operatorRole,
    memberships: memberships.map(({ account_id: accountId, role }) => ({ accountId, role })),
  };
}

const PERSON = record('person', {
  id: TEXT,
  email: TEXT,
  name: TEXT,
  operator_role: nullable(OPERATOR_ROLE),
  memberships: listOf(MEMBERSHIP),
  created_at: INSTANT,
});

/** A link that was made. The person who made it hands over the URL of the dashboard with this path behind it. */
const MADE_LINK = record('made_link', {
  id: TEXT,
  path: { type: 'string', description: 'Shown this once: `/setup#…`.' },
  expires_at: INSTANT,
});

const LINK_ANSWER = {
  status: 201,
  description: 'Hand it over yourself: Postern sends no mail.',
  schema: MADE_LINK,
  isSecret: true,
} as const;

/** A link as lists show it: without its token. */
const OPEN_LINK = record('open_link', {
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

function presentMadeLink({ link, path }: MadeLink) {
  return { id: link.id, path, expires_at: link.expiresAt };
}

const OWNERS = { operator: 'owner' } as const;
const NEEDS = { people: PeopleService, links: LinkService };
const people = areaOf('people', 'Who may sign in, and what they may do.', NEEDS, OWNERS);
const links = areaOf('links', 'Links with which people join, or choose a new password.', NEEDS, OWNERS);

export const PEOPLE_AREA = people.area({
  list_people: people.define('GET /people', {
    summary: 'The people who may sign in.',
    answer: { description: 'By joining.', schema: closed({ people: listOf(PERSON) }) },
    handle: async ({ people }) => ({ people: (await people.list()).map(presentPerson) }),
  }),

  set_roles: people.define('PUT /people/{person_id}/roles', {
    summary: 'Set the roles of a person.',
    description: 'Replaces all roles that the person has; holds for the person’s next request.',
    body: closed(
      {
        ...ROLES.properties,
        was: {
          ...ROLES,
          description:
            'The roles that the change was made of: it is refused where the person has others by now. Without it nothing is compared.',
        },
      },
      ['was'],
    ),
    answer: { description: 'The person as it is now.', schema: PERSON },
    refusals: ['last_owner', 'roles_changed'],
    handle: async ({ people }, { params, body, person }) => {
      const was = body.was && readRoles(body.was);
      return presentPerson(await people.setRoles(params.person_id, readRoles(body), person, was));
    },
  }),

  remove_person: people.define('DELETE /people/{person_id}', {
    summary: 'Remove a person; their sessions end.',
    answer: { description: 'The person is removed; the audit trail keeps what they did.' },
    refusals: ['last_owner'],
    handle: async ({ people }, { params, person }) => void (await people.remove(params.person_id, person)),
  }),

  make_password_link: people.define('POST /people/{person_id}/password-link', {
    summary: 'Make a link with which a person chooses a new password.',
    description:
      'Good once, for 24 hours. One that was made before ends. Until it is used the old password works.',
    answer: LINK_ANSWER,
    handle: async ({ people, links }, { params, person }) =>
      presentMadeLink(await links.makePasswordLink(await people.find(params.person_id), person)),
  }),
});

export const LINKS_AREA = links.area({
  list_links: links.define('GET /links', {
    summary: 'Links that have not been used: to set up, to join, to choose a new password.',
    answer: {
      description: 'The newest first; the links themselves are not shown again.',
      schema: closed({ links: listOf(OPEN_LINK) }),
    },
    handle: async ({ links }) => ({ links: (await links.listOpen()).map(presentOpenLink) }),
  }),

  invite: links.define('POST /invitations', {
    summary: 'Invite a person, as an operator or as a member of an account.',
    description: 'The link is good once, for seven days. One that was made before for the same email ends.',
    // Further memberships are given once the person has joined.
    body: closed({
      email: EMAIL,
      operator_role: nullable(OPERATOR_ROLE),
      membership: nullable(MEMBERSHIP),
    }),
    answer: LINK_ANSWER,
    refusals: ['email_taken'],
    handle: async ({ links, people }, { body, person }) => {
      const { operator_role: operatorRole, membership } = body;
      if ((operatorRole === null) === (membership === null)) {
        const message =
          'must be given where the other of operator_role and membership is null, and only there';
        throw new AppError('invalid_request', { details: [{ path: 'body/membership', message }] });
      }
      const joined = membership && { accountId: membership.account_id, role: membership.role };
      await people.requireAccounts(joined ? [joined] : []);
      const email = body.email.toLowerCase();
      await people.requireUnknown(email);
      return presentMadeLink(await links.invite({ email, operatorRole, membership: joined }, person));
    },
  }),

  revoke_link: links.define('DELETE /links/{link_id}', {
    summary: 'Revoke a link.',
    answer: { description: 'The link no longer works.' },
    async handle({ links }, { params, person }) {
      if (!(await links.revoke(params.link_id, person))) throw new AppError('not_found');
    },
  }),
});
