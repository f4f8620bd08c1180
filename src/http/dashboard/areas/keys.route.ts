import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AuditTrail } from '../../../accounts/audit-trail.ts';
import { type ApiKey, keyState, presentKey } from '../../../accounts/key.ts';
import { KeyService } from '../../../accounts/key-service.ts';
import { CONFIG } from '../../../app/config/config.ts';
import { AppError } from '../../../errors.ts';
import { CLOCK, isoTime } from '../../../lib/time.ts';
import { monthOf, nextMonth } from '../../../shared-state/memory/monthly-quota.ts';
import { USAGE_STORE } from '../../../storage/ports.ts';
import { hasOwnAuthority } from '../../server/certificate.ts';
import { areaOf, type Services } from '../endpoint.ts';
import { ISSUED_KEY, KEY, KEYS, LIMITS, NEW_KEY, ROTATED_KEY, ROTATION } from './keys.schema.ts';

const NEEDS = { keys: KeyService, trail: AuditTrail, usage: USAGE_STORE, config: CONFIG, clock: CLOCK };
type KeyServices = Services<typeof NEEDS>;
const { define, area } = areaOf('keys', 'Keys of accounts, and what they may ask.', NEEDS);

function present(key: ApiKey, { clock }: KeyServices) {
  return { ...presentKey(key), state: keyState(key, clock.now()) };
}

export const KEYS_AREA = area({
  list_keys: define('GET /accounts/{account_id}/keys', {
    summary: 'The keys of an account, ended ones too.',
    access: { account: 'viewer' },
    answer: { description: 'By creation; no secret is among them.', schema: KEYS },
    handle: async (services, { params }) => {
      const keys = await services.keys.listKeys(params.account_id);
      return { keys: keys.map((key) => present(key, services)) };
    },
  }),

  issue_key: define('POST /accounts/{account_id}/keys', {
    summary: 'Make a key.',
    access: { account: 'developer' },
    body: NEW_KEY,
    answer: { status: 201, description: 'Its secret is shown this once.', schema: ISSUED_KEY },
    handle: async (services, { params, body, person }) => {
      const wanted = { ...body, name: body.name.trim(), accountId: params.account_id };
      const { key, secret } = await services.keys.createKey(wanted, services.trail.noting(person));
      return { key: present(key, services), secret };
    },
  }),

  rotate_key: define('POST /accounts/{account_id}/keys/{key_id}/rotate', {
    summary: 'Make a new secret for a key; the old one goes on for a while.',
    description: 'Both share one rate limit. After the grace the old one is refused like a revoked one.',
    access: { account: 'developer' },
    body: ROTATION,
    answer: { status: 201, description: 'The new secret is shown this once.', schema: ROTATED_KEY },
    refusals: ['not_rotatable'],
    handle: async (services, { params, body, person }) => {
      const { id } = await services.keys.keyOf(params.account_id, params.key_id);
      const graceMs = body.grace_seconds * 1000;
      const made = await services.keys.rotateKey(id, graceMs, services.trail.noting(person));
      const { key, secret, previous } = made;
      return { key: present(key, services), secret, previous: present(previous, services) };
    },
  }),

  revoke_key: define('POST /accounts/{account_id}/keys/{key_id}/revoke', {
    summary: 'Refuse a key from its next request on.',
    description: 'A key that was revoked before keeps its time.',
    access: { account: 'developer' },
    answer: { description: 'The key as it is now.', schema: KEY },
    handle: async (services, { params, person }) => {
      const { id } = await services.keys.keyOf(params.account_id, params.key_id);
      return present(await services.keys.revokeKey(id, services.trail.noting(person)), services);
    },
  }),

  show_limits: define('GET /accounts/{account_id}/limits', {
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

  download_certificate_authority: define('GET /certificate-authority', {
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
