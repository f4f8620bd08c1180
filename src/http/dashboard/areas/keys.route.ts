import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Act, AuditTrail } from '../../../accounts/audit-trail.ts';
import { type ApiKey, keyState, type NewApiKey, presentKey } from '../../../accounts/key.ts';
import { KeyService } from '../../../accounts/key-service.ts';
import type { Person } from '../../../accounts/person.ts';
import { CONFIG, type Config } from '../../../app/config/config.ts';
import { inject, injectable } from '../../../di.ts';
import { AppError } from '../../../errors.ts';
import { isoTime } from '../../../lib/dates.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import type { Clock } from '../../../provider-kit/index.ts';
import { monthOf, nextMonth } from '../../../shared-state/memory/monthly-quota.ts';
import { USAGE_STORE, type UsageStore } from '../../../storage/ports.ts';
import { defineArea, endpointsWith } from '../endpoint.ts';
import { ISSUED_KEY, KEY, KEYS, LIMITS, NEW_KEY, ROTATED_KEY, ROTATION } from './keys.schema.ts';

/** Keys of an account, changed by a person: each change is committed together with its entry in the audit trail. */
@injectable()
class KeyServices {
  constructor(
    @inject(KeyService) readonly keys: KeyService,
    @inject(AuditTrail) private readonly trail: AuditTrail,
    @inject(USAGE_STORE) readonly usage: UsageStore,
    @inject(CONFIG) readonly config: Config,
    @inject(CLOCK) readonly clock: Clock,
  ) {}

  present = (key: ApiKey) => ({ ...presentKey(key), state: keyState(key, this.clock.now()) });

  entry(
    action: Act['action'],
    { id, accountId, name, environment }: Pick<NewApiKey, 'id' | 'accountId' | 'name' | 'environment'>,
    person: Person,
    more: Readonly<Record<string, unknown>> = {},
  ) {
    const detail = { name, environment, ...more };
    return this.trail.entry({ person, action, subject: id, accountId, detail });
  }

  get hasOwnAuthority(): boolean {
    return this.config.http.tls.certFile === null;
  }
}
const define = endpointsWith<KeyServices>();

const endpoints = {
  list_keys: define('GET /accounts/{account_id}/keys', {
    summary: 'The keys of an account, ended ones too.',
    access: { account: 'viewer' },
    answer: { description: 'By creation; no secret is among them.', schema: KEYS },
    handle: async ({ keys, present }, { params }) => ({
      keys: (await keys.listKeys(params.account_id)).map(present),
    }),
  }),

  issue_key: define('POST /accounts/{account_id}/keys', {
    summary: 'Make a key.',
    access: { account: 'developer' },
    body: NEW_KEY,
    answer: { status: 201, description: 'Its secret is shown this once.', schema: ISSUED_KEY },
    handle: async (services, { params, body, person }) => {
      const wanted = { ...body, name: body.name.trim(), accountId: params.account_id };
      const { key, secret } = await services.keys.createKey(wanted, (made) =>
        services.entry('key.issued', made, person),
      );
      return { key: services.present(key), secret };
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
      const { key, secret, previous } = await services.keys.rotateKey(
        id,
        body.grace_seconds * 1000,
        (made, expires_at) =>
          services.entry('key.rotated', { ...made, id }, person, { replaced_by: made.id, expires_at }),
      );
      return { key: services.present(key), secret, previous: services.present(previous) };
    },
  }),

  revoke_key: define('POST /accounts/{account_id}/keys/{key_id}/revoke', {
    summary: 'Refuse a key from its next request on.',
    description: 'A key that was revoked before keeps its time.',
    access: { account: 'developer' },
    answer: { description: 'The key as it is now.', schema: KEY },
    handle: async (services, { params, person }) => {
      const key = await services.keys.keyOf(params.account_id, params.key_id);
      if (key.revokedAt !== null) return services.present(key);
      const entry = services.entry('key.revoked', key, person);
      return services.present(await services.keys.revokeKey(key.id, entry));
    },
  }),

  show_limits: define('GET /accounts/{account_id}/limits', {
    summary: 'What the account may ask, and what it has asked this month.',
    access: { account: 'viewer' },
    answer: { description: 'Now.', schema: LIMITS },
    async handle({ config, clock, usage, hasOwnAuthority }, { params }) {
      const now = clock.now();
      const month = monthOf(now);
      return {
        month,
        month_ends_at: isoTime(nextMonth(now)),
        checks_per_month: config.quota.checksPerMonth,
        used: await usage.read(params.account_id, month),
        rate_limit: { requests: config.rateLimit.requests, window_seconds: config.rateLimit.windowSeconds },
        own_authority: hasOwnAuthority,
      };
    },
  }),

  download_certificate_authority: define('GET /certificate-authority', {
    summary: 'The authority that programs must trust, where the service made its own certificate.',
    access: 'signed_in',
    answer: { description: 'A certificate in PEM.', mediaType: 'application/x-pem-file' },
    refusals: ['not_found'],
    handle: ({ config, hasOwnAuthority }, { setHeader }) => {
      // The authority of a configured certificate is one that clients trust already.
      if (!hasOwnAuthority) throw new AppError('not_found');
      setHeader('Content-Disposition', 'attachment; filename="postern-ca.pem"');
      return readFile(join(config.dataDir, 'tls/ca.pem'), 'utf8');
    },
  }),
};

export const KEYS_AREA = defineArea({
  name: 'keys',
  description: 'Keys of accounts, and what they may ask.',
  services: KeyServices,
  endpoints,
});
