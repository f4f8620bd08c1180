import { LinkService } from '../../../accounts/link-service.ts';
import { ACCOUNT_ROLES, type Person, type SignedIn } from '../../../accounts/person.ts';
import { SignInService } from '../../../accounts/sign-in-service.ts';
import { CONFIG, type Config } from '../../../app/config/config.ts';
import { inject, injectable } from '../../../di.ts';
import { readVersion } from '../../../lib/paths.ts';
import { LINK_PURPOSES } from '../../../storage/people-ports.ts';
import { ACCOUNT_STORE, type AccountStore } from '../../../storage/ports.ts';
import { closed, FLAG, INSTANT, listOf, nullable, record, TEXT } from '../../json-types.ts';
import { defineArea, endpointsWith } from '../endpoint.ts';
import { EMAIL, NAME, OPERATOR_ROLE, PASSWORD, TOKEN } from './people.schema.ts';

const SIGNED_IN = closed({ id: TEXT, email: TEXT, name: TEXT });
const REST = {
  operator_role: nullable(OPERATOR_ROLE),
  accounts: {
    description: 'Those that the person may look into: every account, for operators.',
    ...listOf(
      closed({ id: TEXT, name: TEXT, role: { type: 'string', enum: [...ACCOUNT_ROLES, 'operator'] } }),
    ),
  },
  version: { type: 'string', description: 'Of Postern.' },
  demo: { ...FLAG, description: 'Whether what is shown is made up.' },
} as const;

const SESSION = record('session', { person: SIGNED_IN, ...REST });

/** With a null person where the visitor is not signed in. 401 would be written to the browser's console at every visit. */
const ANY_SESSION = record('any_session', {
  person: {
    ...nullable(SIGNED_IN),
    description: 'Null where you are not signed in: no role then, and no account.',
  },
  ...REST,
});

const CREDENTIALS = closed({
  email: { type: 'string', minLength: 1, maxLength: 254 },
  password: PASSWORD,
});

const PASSWORD_CHANGE = closed({ current_password: PASSWORD, new_password: PASSWORD });

const LINK_TOKEN = closed({ token: TOKEN });

const LINK = record('one_time_link', {
  purpose: { type: 'string', enum: LINK_PURPOSES },
  email: { ...nullable(TEXT), description: 'Whom it is for; null where the person who uses it says.' },
  expires_at: INSTANT,
});

const REDEMPTION = closed({ token: TOKEN, password: PASSWORD, name: NAME, email: EMAIL }, ['name', 'email']);

@injectable()
class SessionServices {
  constructor(
    @inject(SignInService) readonly signIns: SignInService,
    @inject(LinkService) readonly links: LinkService,
    @inject(ACCOUNT_STORE) readonly accounts: AccountStore,
    @inject(CONFIG) readonly config: Config,
  ) {}

  /** Operators may look into every account; others into those that they are members of; visitors into none. */
  async present(person: Person) {
    const { id, email, name, operatorRole, memberships } = person;
    const roles = new Map(memberships.map(({ accountId, role }) => [accountId, role]));
    const accounts = (await this.accounts.list()).flatMap((account) => {
      const role = operatorRole === null ? roles.get(account.id) : ('operator' as const);
      return role === undefined ? [] : [{ id: account.id, name: account.name, role }];
    });
    return { person: { id, email, name }, operator_role: operatorRole, accounts, ...this.installation };
  }

  get installation() {
    return { version: readVersion(), demo: this.config.dashboard.demo };
  }

  /** Sends the cookie, and tells who is signed in. */
  async begin({ person, setCookies }: SignedIn, setHeader: SetHeader) {
    setHeader('Set-Cookie', setCookies);
    return this.present(person);
  }
}

type SetHeader = (name: string, value: readonly string[]) => void;

const define = endpointsWith<SessionServices>();

const session = {
  get_session: define('GET /session', {
    summary: 'Who is signed in, and may look into which accounts?',
    access: 'anyone',
    answer: { description: 'The person, or null.', schema: ANY_SESSION },
    handle: (services, { person }) =>
      person === null
        ? { person, operator_role: null, accounts: [], ...services.installation }
        : services.present(person),
  }),

  sign_in: define('POST /session', {
    summary: 'Sign in.',
    description:
      'At most 5 attempts in 15 minutes for one email from one client address, and 20 for all from there; what succeeds does not count.',
    access: 'anyone',
    body: CREDENTIALS,
    answer: { description: 'The cookie is set.', schema: SESSION },
    refusals: ['wrong_credentials', 'rate_limited'],
    handle: async (services, asked) => {
      const { email, password } = asked.body;
      return services.begin(
        await services.signIns.signIn(email, password, asked.clientAddress),
        asked.setHeader,
      );
    },
  }),

  sign_out: define('DELETE /session', {
    summary: 'End this session.',
    access: 'signed_in',
    answer: { description: 'The session is deleted, and the cookie with it.' },
    handle: async ({ signIns }, { person, headers, setHeader }) =>
      void setHeader('Set-Cookie', await signIns.signOut(person, headers.cookie)),
  }),

  change_password: define('PUT /session/password', {
    summary: 'Choose another password; all other sessions end.',
    description: 'Attempts count as those to sign in do.',
    access: 'signed_in',
    body: PASSWORD_CHANGE,
    answer: { description: 'It holds from now on.' },
    refusals: ['wrong_credentials', 'weak_password', 'rate_limited'],
    handle: async ({ signIns }, { person, body, headers, clientAddress, setHeader }) => {
      const passwords = { current: body.current_password, next: body.new_password };
      const setCookies = await signIns.changePassword(person, headers.cookie, passwords, clientAddress);
      return void setHeader('Set-Cookie', setCookies);
    },
  }),
};

export const SESSION_AREA = defineArea({
  name: 'session',
  description: 'Signing in and out.',
  services: SessionServices,
  endpoints: session,
});

const setup = {
  look_at_link: define('POST /setup/link', {
    summary: 'What does a link do?',
    description: 'By POST, so that its token appears in no log. Changes nothing.',
    access: 'anyone',
    body: LINK_TOKEN,
    answer: { description: 'It can be used.', schema: LINK },
    refusals: ['invalid_link'],
    handle: async ({ links }, { body }) => {
      const { purpose, email, expiresAt } = await links.open(body.token);
      return { purpose, email, expires_at: expiresAt };
    },
  }),

  redeem_link: define('POST /setup', {
    summary: 'Use a link: join, or choose a new password; then be signed in.',
    description:
      'A person who joins gives a name, and an email where the link names none. A refused attempt leaves the link valid.',
    access: 'anyone',
    body: REDEMPTION,
    answer: { description: 'The cookie is set.', schema: SESSION },
    refusals: ['invalid_link', 'email_taken', 'weak_password'],
    handle: async (services, asked) =>
      services.begin(await services.signIns.redeem(asked.body), asked.setHeader),
  }),
};

export const SETUP_AREA = defineArea({
  name: 'setup',
  description: 'One-time links.',
  services: SessionServices,
  endpoints: setup,
});
