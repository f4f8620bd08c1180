import { inject, injectable } from '../../../di.ts';
import { AppError } from '../../../errors.ts';
import { LinkService } from '../../../people/link-service.ts';
import { PeopleService } from '../../../people/people-service.ts';
import { defineArea } from '../area.ts';
import { endpointsWith } from '../endpoint.ts';
import { presentInvitation, presentMadeLink } from './people.presenter.ts';
import { INVITATIONS, MADE_LINK, NEW_INVITATION } from './people.schema.ts';

@injectable()
class InvitationServices {
  constructor(
    @inject(LinkService) readonly links: LinkService,
    @inject(PeopleService) readonly people: PeopleService,
  ) {}
}
const define = endpointsWith<InvitationServices>();

const listInvitations = define({
  method: 'GET',
  path: '/invitations',
  operationId: 'list_invitations',
  summary: 'Invitations that nobody has used yet.',
  access: { operator: 'owner' },
  answer: {
    status: 200,
    description: 'The newest first; their links are not shown again.',
    schema: INVITATIONS,
  },
  handle: async ({ links }) => ({ invitations: (await links.listInvitations()).map(presentInvitation) }),
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

const revokeInvitation = define({
  method: 'DELETE',
  path: '/invitations/{invitation_id}',
  operationId: 'revoke_invitation',
  summary: 'Let an invitation’s link open nothing any more.',
  access: { operator: 'owner' },
  answer: { status: 204, description: 'The link is over.' },
  handle: async ({ links }, { params, person }) =>
    void (await links.revokeInvitation(params.invitation_id, person)),
});

export const INVITATIONS_AREA = defineArea({
  name: 'invitations',
  description: 'Links by which people join.',
  services: InvitationServices,
  endpoints: [listInvitations, invite, revokeInvitation],
});
