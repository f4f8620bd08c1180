import { LinkService } from '../../../accounts/link-service.ts';
import { ACCOUNT_ROLES, type Person, type SignedIn } from '../../../accounts/person.ts';
import { SignInService } from '../../../accounts/sign-in-service.ts';
import { CONFIG } from '../../../app/config/config.ts';
import { readVersion } from '../../../lib/paths.ts';
import { LINK_PURPOSES } from '../../../storage/people-ports.ts';
import { ACCOUNT_STORE } from '../../../storage/ports.ts';
import { closed, FLAG, INSTANT, listOf, nullable, record, TEXT } from '../../json-types.ts';
import { hasOwnAuthority } from '../../server/certificate.ts';
import { areaOf, type Services } from '../endpoint.ts';
import { EMAIL, NAME, OPERATOR_ROLE, PASSWORD, TOKEN } from './people.route.ts';

const SIGNED_IN = closed({ id: TEXT, email: TEXT, name: TEXT });
const REST = {
  operator_role: nullable(OPERATOR_ROLE),
  accounts: listOf(
    closed({ id: TEXT, name: TEXT, role: { type: 'string', enum: [...ACCOUNT_ROLES, 'operator'] } }),
    'Those that the person may look into: every account, for operators.',
  ),
  version: { type: 'string', description: 'Of Postern.' },
  demo: { ...FLAG, description: 'Whether what is shown is made up.' },
  own_authority: {
    ...FLAG,
    description: 'Whether the service made its own certificate, whose authority clients do not trust yet.',
  },
} as const;

const SESSION = record('session', { person: SIGNED_IN, ...REST });

/** The person is null where the visitor is not signed in. Browsers would write a 401 to the console at every visit. */
const ANY_SESSION = record('any_session', {
  person: nullable(SIGNED_IN, 'Null where you are not signed in: no role then, and no account.'),
  ...REST,
});

const LINK = record('one_time_link', {
  purpose: { type: 'string', enum: LINK_PURPOSES },
  email: nullable(TEXT, 'Whom it is for; null where the person who uses it says.'),
  expires_at: INSTANT,
});

const NEEDS = { signIns: SignInService, links: LinkService, accounts: ACCOUNT_STORE, config: CONFIG };
type SessionServices = Services<typeof NEEDS>;
const session = areaOf('session', 'Signing in and out.', NEEDS);
const setup = areaOf('setup', 'One-time links.', NEEDS);

function installation({ config }: SessionServices) {
  return {
    version: readVersion(),
    demo: config.dashboard.demo,
    own_authority: hasOwnAuthority(config),
  };
}

/** Operators may look into every account; others into those that they are members of; visitors into none. */
async function present({ id, email, name, operatorRole, memberships }: Person, services: SessionServices) {
  const roles = new Map(memberships.map(({ accountId, role }) => [accountId, role]));
  const accounts = (await services.accounts.list()).flatMap((account) => {
    const role = operatorRole === null ? roles.get(account.id) : ('operator' as const);
    return role === undefined ? [] : [{ id: account.id, name: account.name, role }];
  });
  return { person: { id, email, name }, operator_role: operatorRole, accounts, ...installation(services) };
}

/** Sends the cookie, and tells who is signed in. */
function begin(
  { person, setCookies }: SignedIn,
  { setHeader }: { setHeader(name: string, value: readonly string[]): void },
  services: SessionServices,
) {
  setHeader('Set-Cookie', setCookies);
  return present(person, services);
}

export const SESSION_AREA = session.area({
  get_session: session.define('GET /session', {
    summary: 'Who is signed in, and may look into which accounts?',
    access: 'anyone',
    answer: { description: 'The person, or null.', schema: ANY_SESSION },
    handle: (services, { person }) =>
      person === null
        ? { person, operator_role: null, accounts: [], ...installation(services) }
        : present(person, services),
  }),

  sign_in: session.define('POST /session', {
    summary: 'Sign in.',
    description:
      'At most 5 attempts in 15 minutes for one email from one client address, and 20 for all from there; what succeeds does not count.',
    access: 'anyone',
    body: closed({ email: { type: 'string', minLength: 1, maxLength: 254 }, password: PASSWORD }),
    answer: { description: 'The cookie is set.', schema: SESSION, isSecret: true },
    refusals: ['wrong_credentials', 'rate_limited'],
    handle: async (services, asked) => {
      const { email, password } = asked.body;
      return begin(await services.signIns.signIn(email, password, asked), asked, services);
    },
  }),

  sign_out: session.define('DELETE /session', {
    summary: 'End this session.',
    access: 'signed_in',
    answer: { description: 'The session is deleted, and the cookie with it.' },
    handle: async ({ signIns }, { person, headers, setHeader }) =>
      void setHeader('Set-Cookie', await signIns.signOut(person, headers.cookie)),
  }),

  change_password: session.define('PUT /session/password', {
    summary: 'Choose another password; all other sessions end.',
    description: 'Attempts count as those to sign in do.',
    access: 'signed_in',
    body: closed({ current_password: PASSWORD, new_password: PASSWORD }),
    answer: { description: 'It holds from now on.' },
    refusals: ['wrong_credentials', 'weak_password', 'rate_limited'],
    handle: async ({ signIns }, asked) => {
      const { person, body, headers } = asked;
      const passwords = { current: body.current_password, next: body.new_password };
      const setCookies = await signIns.changePassword(person, headers.cookie, passwords, asked);
      asked.setHeader('Set-Cookie', setCookies);
    },
  }),
});

export const SETUP_AREA = setup.area({
  look_at_link: setup.define('POST /setup/link', {
    summary: 'What does a link do?',
    description: 'By POST, so that its token appears in no log. Changes nothing.',
    access: 'anyone',
    body: closed({ token: TOKEN }),
    answer: { description: 'It can be used.', schema: LINK },
    refusals: ['invalid_link'],
    handle: async ({ links }, { body }) => {
      const { purpose, email, expiresAt } = await links.open(body.token);
      return { purpose, email, expires_at: expiresAt };
    },
  }),

  redeem_link: setup.define('POST /setup', {
    summary: 'Use a link: join, or choose a new password; then be signed in.',
    description:
      'A person who joins gives a name, and an email where the link names none. A refused attempt leaves the link valid.',
    access: 'anyone',
    body: closed({ token: TOKEN, password: PASSWORD, name: NAME, email: EMAIL }, ['name', 'email']),
    answer: { description: 'The cookie is set.', schema: SESSION, isSecret: true },
    refusals: ['invalid_link', 'email_taken', 'weak_password'],
    handle: async (services, asked) =>
      begin(await services.signIns.redeem(asked.body, asked), asked, services),
  }),
});
