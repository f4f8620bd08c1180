import { LinkService } from '../../../accounts/people/link-service.ts';
import { PeopleService } from '../../../accounts/people/people-service.ts';
import { inject, injectable } from '../../../di.ts';
import { AppError } from '../../../errors.ts';
import { defineArea } from '../area.ts';
import { endpointsWith } from '../endpoint.ts';
import { presentMadeLink, presentOpenLink } from './people.presenter.ts';
import { MADE_LINK, NEW_INVITATION, OPEN_LINKS } from './people.schema.ts';

@injectable()
class LinkServices {
  constructor(
    @inject(LinkService) readonly links: LinkService,
    @inject(PeopleService) readonly people: PeopleService,
  ) {}
}
const define = endpointsWith<LinkServices>();

const listLinks = define({
  method: 'GET',
  path: '/links',
  operationId: 'list_links',
  summary: 'Links that nobody has used yet: to be set up, to join, to choose a new password.',
  access: { operator: 'owner' },
  answer: {
    status: 200,
    description: 'The newest first; the links themselves are not shown again.',
    schema: OPEN_LINKS,
  },
  handle: async ({ links }) => ({ links: (await links.listOpen()).map(presentOpenLink) }),
});

const invite = define({
  method: 'POST',
  path: '/invitations',
  operationId: 'invite',
  summary: 'Invite a person, as an operator or as a member of an account.',
  description: 'The link is good once, for seven days. One that was made before for the same email ends.',
  access: { operator: 'owner' },
  body: NEW_INVITATION,
  answer: { status: 201, description: 'To be handed over: Postern sends no mail.', schema: MADE_LINK },
  refusals: ['email_taken'],
  handle: async ({ links, people }, { body, person }) => {
    const { operator_role: operatorRole, membership } = body;
    if ((operatorRole === null) === (membership === null)) {
      const message = 'must be given where the other of operator_role and membership is null, and only there';
      throw new AppError('invalid_request', { details: [{ path: 'body/membership', message }] });
    }
    const joined = membership && { accountId: membership.account_id, role: membership.role };
    await people.requireAccounts(joined ? [joined] : []);
    const email = body.email.toLowerCase();
    await people.requireUnknown(email);
    return presentMadeLink(await links.invite({ email, operatorRole, membership: joined }, person));
  },
});

const revokeLink = define({
  method: 'DELETE',
  path: '/links/{link_id}',
  operationId: 'revoke_link',
  summary: 'Let a link open nothing any more.',
  access: { operator: 'owner' },
  answer: { status: 204, description: 'The link is over.' },
  async handle({ links }, { params, person }) {
    if (!(await links.revoke(params.link_id, person))) throw new AppError('not_found');
    return undefined;
  },
});

export const LINKS_AREA = defineArea({
  name: 'links',
  description: 'Links by which people join, or choose a new password.',
  services: LinkServices,
  endpoints: [listLinks, invite, revokeLink],
});
