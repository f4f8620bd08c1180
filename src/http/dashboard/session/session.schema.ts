import { ACCOUNT_ROLES } from '../../../accounts/people/person.ts';
import { LINK_PURPOSES } from '../../../storage/people-ports.ts';
import { closed, INSTANT, listOf, named, nullable, TEXT } from '../json-types.ts';
import { EMAIL, NAME, OPERATOR_ROLE, PASSWORD, TOKEN } from '../people/people.schema.ts';

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
  demo: { type: 'boolean', description: 'Whether what is shown is made up.' },
} as const;

export const SESSION = named('session', closed({ person: SIGNED_IN, ...REST }));

/** The same for nobody, so that asking is no failure, which browsers would write into their consoles. */
export const ANY_SESSION = named(
  'any_session',
  closed({
    person: {
      ...nullable(SIGNED_IN),
      description: 'Null where nobody is signed in: no role then, and no account.',
    },
    ...REST,
  }),
);

export const CREDENTIALS = closed({
  email: { type: 'string', minLength: 1, maxLength: 254 },
  password: PASSWORD,
});

export const PASSWORD_CHANGE = closed({ current_password: PASSWORD, new_password: PASSWORD });

export const LINK_TOKEN = closed({ token: TOKEN });

export const LINK = named(
  'one_time_link',
  closed({
    purpose: { type: 'string', enum: LINK_PURPOSES },
    email: { ...nullable(TEXT), description: 'Whom it is for; null where whoever has it may say.' },
    expires_at: INSTANT,
  }),
);

export const REDEMPTION = closed({ token: TOKEN, password: PASSWORD, name: NAME, email: EMAIL }, [
  'name',
  'email',
]);
