import { type ApiKey, isUsable } from '../../../accounts/keys/key.ts';

export function presentKey(key: ApiKey, now: number) {
  return {
    id: key.id,
    name: key.name,
    environment: key.environment,
    prefix: key.prefix,
    created_at: key.createdAt,
    state: stateOf(key, now),
    revoked_at: key.revokedAt,
    expires_at: key.expiresAt,
    replaced_by: key.replacedBy,
    seen_in_clear_at: key.seenInClearAt,
  };
}

function stateOf(key: ApiKey, now: number) {
  if (key.revokedAt !== null) return 'revoked' as const;
  if (key.expiresAt === null) return 'active' as const;
  return isUsable(key, now) ? ('ending' as const) : ('ended' as const);
}
