import { AuditTrail } from '../../../accounts/audit-trail.ts';
import { presentAccount } from '../../../accounts/key.ts';
import { KeyService } from '../../../accounts/key-service.ts';
import { AppError } from '../../../errors.ts';
import { closed, INSTANT, listOf, record, TEXT } from '../../json-types.ts';
import { areaOf } from '../endpoint.ts';
import { NAME } from './people.schema.ts';

const ACCOUNT = record('account', { id: TEXT, name: TEXT, created_at: INSTANT });

const { define, area } = areaOf('accounts', 'Who holds keys.', { keys: KeyService, trail: AuditTrail });

export const ACCOUNTS_AREA = area({
  list_accounts: define('GET /accounts', {
    summary: 'The accounts that one may look into.',
    access: 'signed_in',
    answer: { description: 'By creation.', schema: closed({ accounts: listOf(ACCOUNT) }) },
    handle: async ({ keys }, { person: { operatorRole, memberships } }) => {
      const own = new Set(memberships.map(({ accountId }) => accountId));
      const accounts = await keys.listAccounts();
      return {
        accounts: accounts.filter(({ id }) => operatorRole !== null || own.has(id)).map(presentAccount),
      };
    },
  }),

  create_account: define('POST /accounts', {
    summary: 'Make an account.',
    access: { operator: 'owner' },
    body: closed({ name: NAME }),
    answer: { status: 201, description: 'It has no keys and no members yet.', schema: ACCOUNT },
    refusals: ['name_taken'],
    handle: async ({ keys, trail }, { body, person }) => {
      const name = body.name.trim();
      if ((await keys.listAccounts()).some((account) => account.name === name))
        throw new AppError('name_taken');
      return presentAccount(await keys.createAccount(name, trail.noting(person)));
    },
  }),
});
