import { defineArea } from '../area.ts';
import { endpointsWith } from '../endpoint.ts';
import { LINK, LINK_TOKEN, REDEMPTION, SESSION } from './session.schema.ts';
import { SessionServices } from './session-services.ts';

const define = endpointsWith<SessionServices>();

const lookAtLink = define({
  method: 'POST',
  path: '/setup/link',
  operationId: 'look_at_link',
  summary: 'What is a link good for?',
  description: 'By POST, so that its token stands in no log. Changes nothing.',
  access: 'anyone',
  body: LINK_TOKEN,
  answer: { status: 200, description: 'It can be used.', schema: LINK },
  refusals: ['invalid_link'],
  handle: async ({ links }, { body }) => {
    const { purpose, email, expiresAt } = await links.open(body.token);
    return { purpose, email, expires_at: expiresAt };
  },
});

const redeemLink = define({
  method: 'POST',
  path: '/setup',
  operationId: 'redeem_link',
  summary: 'Use a link: join, or choose a new password; then be signed in.',
  description:
    'Whoever joins gives a name; an email only where the link names none. What is refused leaves the link as it was.',
  access: 'anyone',
  body: REDEMPTION,
  answer: { status: 200, description: 'The cookie is set.', schema: SESSION },
  refusals: ['invalid_link', 'email_taken', 'weak_password'],
  handle: async (services, asked) => services.begin(await services.signIns.redeem(asked.body), asked),
});

export const SETUP_AREA = defineArea({
  name: 'setup',
  description: 'Links that are good once.',
  services: SessionServices,
  endpoints: [lookAtLink, redeemLink],
});
