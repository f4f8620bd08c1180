import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { components } from './schema.d.ts';
import { useChange } from './use-change.ts';

export type ApiKey = components['schemas']['api_key'];
export type Limits = components['schemas']['limits'];
export type Usage = components['schemas']['usage'];

/** Poll interval. */
const LIVE_MS = 10_000;

const keysOf = (accountId: string) => ['keys', accountId] as const;

/** Every key of an account, ended ones too. */
export function useKeys(accountId: string) {
  const params = { path: { account_id: accountId } };
  return useQuery(
    queryOptions({
      queryKey: keysOf(accountId),
      queryFn: async ({ signal }) =>
        (await answerOf(api.GET('/dashboard/api/accounts/{account_id}/keys', { params, signal }))).keys,
      // A key ends by itself, and others rotate and revoke too.
      refetchInterval: LIVE_MS,
    }),
  );
}

export function useLimits(accountId: string) {
  const params = { path: { account_id: accountId } };
  return useQuery({
    queryKey: ['limits', accountId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/dashboard/api/accounts/{account_id}/limits', { params, signal })),
    refetchInterval: LIVE_MS,
  });
}

/** Usage by day and key, from the day `since` on (UTC). */
export function useUsage(accountId: string, since: string, isWanted = true) {
  const params = { path: { account_id: accountId }, query: { since } };
  return useQuery({
    queryKey: ['usage', accountId, since],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/dashboard/api/accounts/{account_id}/usage', { params, signal })),
    refetchInterval: LIVE_MS,
    enabled: isWanted,
  });
}

export function useIssueKey(accountId: string) {
  const params = { path: { account_id: accountId } };
  return useKeyChange(accountId, (body: { name: string; environment: 'live' | 'test' }) =>
    answerOf(api.POST('/dashboard/api/accounts/{account_id}/keys', { params, body })),
  );
}

export function useRotateKey(accountId: string) {
  return useKeyChange(accountId, ({ id, graceSeconds }: { id: string; graceSeconds: number }) =>
    answerOf(
      api.POST('/dashboard/api/accounts/{account_id}/keys/{key_id}/rotate', {
        params: { path: { account_id: accountId, key_id: id } },
        body: { grace_seconds: graceSeconds },
      }),
    ),
  );
}

export function useRevokeKey(accountId: string) {
  return useKeyChange(accountId, (id: string) =>
    answerOf(
      api.POST('/dashboard/api/accounts/{account_id}/keys/{key_id}/revoke', {
        params: { path: { account_id: accountId, key_id: id } },
      }),
    ),
  );
}

/** Changes a key; what it was used for changes with it. */
function useKeyChange<Input, Output>(accountId: string, change: (input: Input) => Promise<Output>) {
  return useChange([keysOf(accountId), ['usage', accountId]], change);
}
