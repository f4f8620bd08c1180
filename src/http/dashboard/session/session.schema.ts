import { ACCOUNT_ROLES } from '../../../people/person.ts';
import { LINK_PURPOSES } from '../../../storage/people-ports.ts';
import { closed, INSTANT, listOf, named, nullable, TEXT } from '../json-types.ts';
import { EMAIL, NAME, OPERATOR_ROLE, PASSWORD, TOKEN } from '../people/people.schema.ts';

export const SESSION = named(
  'session',
  closed({
    person: closed({ id: TEXT, email: TEXT, name: TEXT }),
    operator_role: nullable(OPERATOR_ROLE),
    accounts: {
      description: 'Those that the person may look into: every account, for operators.',
      ...listOf(
        closed({ id: TEXT, name: TEXT, role: { type: 'string', enum: [...ACCOUNT_ROLES, 'operator'] } }),
      ),
    },
    version: { type: 'string', description: 'Of Postern.' },
    demo: { type: 'boolean', description: 'Whether what is shown is made up.' },
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
