import { inject, injectable } from '../../../di.ts';
import { defineArea } from '../area.ts';
import { endpointsWith } from '../endpoint.ts';
import { AccountKeys } from './account-keys.ts';
import { AccountLimits } from './account-limits.ts';
import { presentKey } from './keys.presenter.ts';
import { ISSUED_KEY, KEY, KEYS, LIMITS, NEW_KEY, ROTATED_KEY, ROTATION } from './keys.schema.ts';

@injectable()
class KeysServices {
  constructor(
    @inject(AccountKeys) readonly keys: AccountKeys,
    @inject(AccountLimits) readonly limits: AccountLimits,
  ) {}

  present = (key: Parameters<typeof presentKey>[0]) => presentKey(key, this.keys.clock.now());
}
const define = endpointsWith<KeysServices>();

const listKeys = define({
  method: 'GET',
  path: '/accounts/{account_id}/keys',
  operationId: 'list_keys',
  summary: 'The keys of an account, ended ones too.',
  access: { account: 'viewer' },
  answer: { status: 200, description: 'By creation; no secret is among them.', schema: KEYS },
  handle: async ({ keys, present }, { params }) => ({
    keys: (await keys.list(params.account_id)).map(present),
  }),
});

const issueKey = define({
  method: 'POST',
  path: '/accounts/{account_id}/keys',
  operationId: 'issue_key',
  summary: 'Make a key.',
  access: { account: 'developer' },
  body: NEW_KEY,
  answer: { status: 201, description: 'Its secret is shown this once.', schema: ISSUED_KEY },
  handle: async ({ keys, present }, { params, body, person }) => {
    const wanted = { ...body, name: body.name.trim(), accountId: params.account_id };
    const { key, secret } = await keys.issue(wanted, person);
    return { key: present(key), secret };
  },
});

const rotateKey = define({
  method: 'POST',
  path: '/accounts/{account_id}/keys/{key_id}/rotate',
  operationId: 'rotate_key',
  summary: 'Make a new secret for a key; the old one goes on for a while.',
  description: 'Both share one rate limit. After the grace the old one is refused like a revoked one.',
  access: { account: 'developer' },
  body: ROTATION,
  answer: { status: 201, description: 'The new secret is shown this once.', schema: ROTATED_KEY },
  refusals: ['not_rotatable'],
  handle: async ({ keys, present }, { params, body, person }) => {
    const { account_id: accountId, key_id: id } = params;
    const { key, secret, previous } = await keys.rotate(accountId, id, body.grace_seconds, person);
    return { key: present(key), secret, previous: present(previous) };
  },
});

const revokeKey = define({
  method: 'POST',
  path: '/accounts/{account_id}/keys/{key_id}/revoke',
  operationId: 'revoke_key',
  summary: 'Refuse a key from its next request on.',
  description: 'A key that was revoked before keeps its time.',
  access: { account: 'developer' },
  answer: { status: 200, description: 'The key as it is now.', schema: KEY },
  handle: async ({ keys, present }, { params, person }) =>
    present(await keys.revoke(params.account_id, params.key_id, person)),
});

const showLimits = define({
  method: 'GET',
  path: '/accounts/{account_id}/limits',
  operationId: 'show_limits',
  summary: 'What the account may ask, and what it has asked this month.',
  access: { account: 'viewer' },
  answer: { status: 200, description: 'Now.', schema: LIMITS },
  handle: ({ limits }, { params }) => limits.of(params.account_id),
});

const downloadAuthority = define({
  method: 'GET',
  path: '/certificate-authority',
  operationId: 'download_certificate_authority',
  summary: 'The authority that programs must trust, where the service made its own certificate.',
  access: 'signed_in',
  answer: { status: 200, description: 'A certificate in PEM.', mediaType: 'application/x-pem-file' },
  refusals: ['not_found'],
  handle: ({ limits }, { setHeader }) => {
    setHeader('Content-Disposition', 'attachment; filename="postern-ca.pem"');
    return limits.authority();
  },
});

export const KEYS_AREA = defineArea({
  name: 'keys',
  description: 'Keys of accounts, and what they may ask.',
  services: KeysServices,
  endpoints: [listKeys, issueKey, rotateKey, revokeKey, showLimits, downloadAuthority],
});
