import { LinkService } from '../../../accounts/people/link-service.ts';
import { PeopleService } from '../../../accounts/people/people-service.ts';
import { inject, injectable } from '../../../di.ts';
import { defineArea } from '../area.ts';
import { endpointsWith } from '../endpoint.ts';
import { presentMadeLink, presentPerson } from './people.presenter.ts';
import { MADE_LINK, PEOPLE, PERSON, ROLES } from './people.schema.ts';

@injectable()
class PeopleServices {
  constructor(
    @inject(PeopleService) readonly people: PeopleService,
    @inject(LinkService) readonly links: LinkService,
  ) {}
}
const define = endpointsWith<PeopleServices>();

const listPeople = define({
  method: 'GET',
  path: '/people',
  operationId: 'list_people',
  summary: 'Everybody who may sign in.',
  access: { operator: 'owner' },
  answer: { status: 200, description: 'By joining.', schema: PEOPLE },
  handle: async ({ people }) => ({ people: (await people.list()).map(presentPerson) }),
});

const setRoles = define({
  method: 'PUT',
  path: '/people/{person_id}/roles',
  operationId: 'set_roles',
  summary: 'Say what a person may do.',
  description: 'Replaces all roles that the person has; holds for the person’s next request.',
  access: { operator: 'owner' },
  body: ROLES,
  answer: { status: 200, description: 'The person as it is now.', schema: PERSON },
  refusals: ['last_owner'],
  handle: async ({ people }, { params, body, person }) => {
    const memberships = body.memberships.map(({ account_id: accountId, role }) => ({ accountId, role }));
    return presentPerson(
      await people.setRoles(params.person_id, { operatorRole: body.operator_role, memberships }, person),
    );
  },
});

const removePerson = define({
  method: 'DELETE',
  path: '/people/{person_id}',
  operationId: 'remove_person',
  summary: 'Remove a person; its sessions end.',
  access: { operator: 'owner' },
  answer: { status: 204, description: 'The person is gone; what it did stays in the audit trail.' },
  refusals: ['last_owner'],
  handle: async ({ people }, { params, person }) => void (await people.remove(params.person_id, person)),
});

const makePasswordLink = define({
  method: 'POST',
  path: '/people/{person_id}/password-link',
  operationId: 'make_password_link',
  summary: 'Make a link by which a person chooses a new password.',
  description:
    'Good once, for 24 hours. One that was made before ends. Until it is used the old password works.',
  access: { operator: 'owner' },
  answer: { status: 201, description: 'To be handed over: Postern sends no mail.', schema: MADE_LINK },
  handle: async ({ people, links }, { params, person }) =>
    presentMadeLink(await links.makePasswordLink(await people.find(params.person_id), person)),
});

export const PEOPLE_AREA = defineArea({
  name: 'people',
  description: 'Who may sign in, and what they may do.',
  services: PeopleServices,
  endpoints: [listPeople, setRoles, removePerson, makePasswordLink],
});
