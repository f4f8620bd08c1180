import { defineArea } from '../area.ts';
import { endpointsWith } from '../endpoint.ts';
import { ANY_SESSION, CREDENTIALS, PASSWORD_CHANGE, SESSION } from './session.schema.ts';
import { SessionServices } from './session-services.ts';

const define = endpointsWith<SessionServices>();

const getSession = define({
  method: 'GET',
  path: '/session',
  operationId: 'get_session',
  summary: 'Who is signed in, and may look into which accounts?',
  access: 'anyone',
  answer: { status: 200, description: 'You, or nobody.', schema: ANY_SESSION },
  handle: (services, { person }) => (person === null ? services.presentNobody() : services.present(person)),
});

const signIn = define({
  method: 'POST',
  path: '/session',
  operationId: 'sign_in',
  summary: 'Sign in.',
  description:
    'At most 5 attempts in 15 minutes for one email from one client address, and 20 for all from there; what succeeds does not count.',
  access: 'anyone',
  body: CREDENTIALS,
  answer: { status: 200, description: 'The cookie is set.', schema: SESSION },
  refusals: ['wrong_credentials', 'rate_limited'],
  handle: async (services, asked) => {
    const { email, password } = asked.body;
    return services.begin(await services.signIns.signIn(email, password, asked.clientAddress), asked);
  },
});

const signOut = define({
  method: 'DELETE',
  path: '/session',
  operationId: 'sign_out',
  summary: 'End this session.',
  access: 'signed_in',
  answer: { status: 204, description: 'The session is deleted, and the cookie with it.' },
  handle: async ({ signIns }, { person, headers, setHeader }) =>
    void setHeader('Set-Cookie', await signIns.signOut(person, headers.cookie)),
});

const changePassword = define({
  method: 'PUT',
  path: '/session/password',
  operationId: 'change_password',
  summary: 'Choose another password; all other sessions end.',
  description: 'Attempts count as those to sign in do.',
  access: 'signed_in',
  body: PASSWORD_CHANGE,
  answer: { status: 204, description: 'It holds from now on.' },
  refusals: ['wrong_credentials', 'weak_password', 'rate_limited'],
  handle: async ({ signIns }, { person, body, headers, clientAddress, setHeader }) => {
    const passwords = { current: body.current_password, next: body.new_password };
    const setCookies = await signIns.changePassword(person, headers.cookie, passwords, clientAddress);
    return void setHeader('Set-Cookie', setCookies);
  },
});

export const SESSION_AREA = defineArea({
  name: 'session',
  description: 'Signing in and out.',
  services: SessionServices,
  endpoints: [getSession, signIn, signOut, changePassword],
});
