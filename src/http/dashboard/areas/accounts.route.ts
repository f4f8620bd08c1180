import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AuditTrail } from '../../../accounts/audit-trail.ts';
import { type ApiKey, ENVIRONMENTS, keyState, presentAccount, presentKey } from '../../../accounts/key.ts';
import { KeyService } from '../../../accounts/key-service.ts';
import { mayLookInto } from '../../../accounts/person.ts';
import { CONFIG } from '../../../app/config/config.ts';
import { AppError } from '../../../errors.ts';
import { CLOCK, isoTime } from '../../../lib/time.ts';
import { monthOf, nextMonth } from '../../../shared-state/memory/monthly-quota.ts';
import { USAGE_STORE } from '../../../storage/ports.ts';
import { COUNT, closed, INSTANT, listOf, nullable, record, TEXT, words } from '../../json-types.ts';
import { hasOwnAuthority } from '../../server/certificate.ts';
import { areaOf, type Services } from '../endpoint.ts';
import { NAME } from './people.route.ts';

const ACCOUNT = record('account', { id: TEXT, name: TEXT, created_at: INSTANT });

const accounts = areaOf('accounts', 'Who holds keys.', { keys: KeyService, trail: AuditTrail });

export const ACCOUNTS_AREA = accounts.area({
  list_accounts: accounts.define('GET /accounts', {
    summary: 'The accounts that one may look into.',
    access: 'signed_in',
    answer: { description: 'By creation.', schema: closed({ accounts: listOf(ACCOUNT) }) },
    handle: async ({ keys }, { person }) => {
      const all = await keys.listAccounts();
      return { accounts: all.filter(({ id }) => mayLookInto(person, id)).map(presentAccount) };
    },
  }),

  create_account: accounts.define('POST /accounts', {
    summary: 'Make an account.',
    access: { operator: 'owner' },
    body: closed({ name: NAME }),
    answer: { status: 201, description: 'It has no keys and no members yet.', schema: ACCOUNT },
    refusals: ['name_taken'],
    handle: async ({ keys, trail }, { body, person }) =>
      presentAccount(await keys.createAccount(body.name.trim(), trail.noting(person))),
  }),
});

const KEY = record('api_key', {
  id: TEXT,
  name: nullable(TEXT),
  environment: { type: 'string', enum: ENVIRONMENTS },
  prefix: { type: 'string', description: 'The first characters of the secret; the rest is not stored.' },
  created_at: INSTANT,
  state: {
    type: 'string',
    enum: ['active', 'ending', 'ended', 'revoked'],
    description: '`ending`: another key takes its place; until `expires_at` both work.',
  },
  revoked_at: nullable(INSTANT),
  expires_at: nullable(INSTANT),
  replaced_by: nullable(TEXT),
  seen_in_clear_at: nullable(
    INSTANT,
    'When it last came over plain HTTP, where it could be read on the way: rotate it.',
  ),
});

const SECRET = { type: 'string', description: 'Shown this once: it is not stored.' } as const;

const LIMITS = record('limits', {
  month: { type: 'string', description: 'UTC: `2026-11`.' },
  month_ends_at: INSTANT,
  checks_per_month: nullable(COUNT, 'Null where there is no quota.'),
  used: { ...COUNT, description: 'Answered live checks of this month, whether still on record or not.' },
  rate_limit: {
    description: 'Of a key and those that replaced it.',
    ...closed({ requests: COUNT, window_seconds: COUNT }),
  },
});

const NEEDS = { keys: KeyService, trail: AuditTrail, usage: USAGE_STORE, config: CONFIG, clock: CLOCK };
type KeyServices = Services<typeof NEEDS>;
const keys = areaOf('keys', 'Keys of accounts, and what they may ask.', NEEDS);

function present(key: ApiKey, { clock }: KeyServices) {
  return { ...presentKey(key), state: keyState(key, clock.now()) };
}

export const KEYS_AREA = keys.area({
  list_keys: keys.define('GET /accounts/{account_id}/keys', {
    summary: 'The keys of an account, ended ones too.',
    access: { account: 'viewer' },
    answer: { description: 'By creation; no secret is among them.', schema: closed({ keys: listOf(KEY) }) },
    handle: async (services, { params }) => {
      const keys = await services.keys.listKeys(params.account_id);
      return { keys: keys.map((key) => present(key, services)) };
    },
  }),

  issue_key: keys.define('POST /accounts/{account_id}/keys', {
    summary: 'Make a key.',
    access: { account: 'developer' },
    body: closed({
      environment: { type: 'string', enum: ENVIRONMENTS },
      name: { ...words(60), description: 'To tell it from other keys.' },
    }),
    answer: {
      status: 201,
      description: 'Its secret is shown this once.',
      schema: record('issued_key', { key: KEY, secret: SECRET }),
      isSecret: true,
    },
    handle: async (services, { params, body, person }) => {
      const wanted = { ...body, name: body.name.trim(), accountId: params.account_id };
      const { key, secret } = await services.keys.createKey(wanted, services.trail.noting(person));
      return { key: present(key, services), secret };
    },
  }),

  rotate_key: keys.define('POST /accounts/{account_id}/keys/{key_id}/rotate', {
    summary: 'Make a new secret for a key; the old one goes on for a while.',
    description: 'Both share one rate limit. After the grace the old one is refused like a revoked one.',
    access: { account: 'developer' },
    body: closed({
      grace_seconds: {
        type: 'integer',
        minimum: 0,
        maximum: 30 * 86_400,
        description: 'For so long the old secret still works.',
      },
    }),
    answer: {
      status: 201,
      description: 'The new secret is shown this once.',
      schema: record('rotated_key', { key: KEY, secret: SECRET, previous: KEY }),
      isSecret: true,
    },
    refusals: ['not_rotatable'],
    handle: async (services, { params, body, person }) => {
      const { id } = await services.keys.keyOf(params.account_id, params.key_id);
      const graceMs = body.grace_seconds * 1000;
      const made = await services.keys.rotateKey(id, graceMs, services.trail.noting(person));
      const { key, secret, previous } = made;
      return { key: present(key, services), secret, previous: present(previous, services) };
    },
  }),

  revoke_key: keys.define('POST /accounts/{account_id}/keys/{key_id}/revoke', {
    summary: 'Refuse a key from its next request on.',
    description: 'A key that was revoked before keeps its time.',
    access: { account: 'developer' },
    answer: { description: 'The key as it is now.', schema: KEY },
    handle: async (services, { params, person }) => {
      const { id } = await services.keys.keyOf(params.account_id, params.key_id);
      return present(await services.keys.revokeKey(id, services.trail.noting(person)), services);
    },
  }),

  show_limits: keys.define('GET /accounts/{account_id}/limits', {
    summary: 'What the account may ask, and what it has asked this month.',
    access: { account: 'viewer' },
    answer: { description: 'Now.', schema: LIMITS },
    async handle({ config, clock, usage }, { params }) {
      const now = clock.now();
      const month = monthOf(now);
      return {
        month,
        month_ends_at: isoTime(nextMonth(now)),
        checks_per_month: config.quota.checksPerMonth,
        used: await usage.read(params.account_id, month),
        rate_limit: { requests: config.rateLimit.requests, window_seconds: config.rateLimit.windowSeconds },
      };
    },
  }),

  download_certificate_authority: keys.define('GET /certificate-authority', {
    summary: 'The authority that programs must trust, where the service made its own certificate.',
    access: 'signed_in',
    answer: { description: 'A certificate in PEM.', mediaType: 'application/x-pem-file' },
    refusals: ['not_found'],
    handle: ({ config }, { setHeader }) => {
      // The authority of a configured certificate is one that clients trust already.
      if (!hasOwnAuthority(config)) throw new AppError('not_found');
      setHeader('Content-Disposition', 'attachment; filename="postern-ca.pem"');
      return readFile(join(config.dataDir, 'tls/ca.pem'), 'utf8');
    },
  }),
});
