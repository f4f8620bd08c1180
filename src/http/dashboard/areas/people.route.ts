import { LinkService, linkPath, type MadeLink, presentOpenLink } from '../../../accounts/link-service.ts';
import { PeopleService } from '../../../accounts/people-service.ts';
import { presentPerson } from '../../../accounts/person.ts';
import { AppError } from '../../../errors.ts';
import { closed, listOf } from '../../json-types.ts';
import { areaOf } from '../endpoint.ts';
import { MADE_LINK, NEW_INVITATION, OPEN_LINK, PERSON, ROLES } from './people.schema.ts';

function presentMadeLink({ link, token }: MadeLink) {
  return { id: link.id, path: linkPath(token), expires_at: link.expiresAt };
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
    body: ROLES,
    answer: { description: 'The person as it is now.', schema: PERSON },
    refusals: ['last_owner'],
    handle: async ({ people }, { params, body, person }) => {
      const memberships = body.memberships.map(({ account_id: accountId, role }) => ({ accountId, role }));
      return presentPerson(
        await people.setRoles(params.person_id, { operatorRole: body.operator_role, memberships }, person),
      );
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
    answer: { status: 201, description: 'Hand it over yourself: Postern sends no mail.', schema: MADE_LINK },
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
    body: NEW_INVITATION,
    answer: { status: 201, description: 'Hand it over yourself: Postern sends no mail.', schema: MADE_LINK },
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
      return undefined;
    },
  }),
});
