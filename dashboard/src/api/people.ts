import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { components } from './schema.d.ts';
import { SESSION_KEY } from './session.ts';
import { useChange } from './use-change.ts';

export type Person = components['schemas']['person'];
export type Roles = components['schemas']['roles'];
export type Membership = components['schemas']['membership'];
export type OpenLink = components['schemas']['open_link'];
export type MadeLink = components['schemas']['made_link'];
export type Account = components['schemas']['account'];

const [PEOPLE, LINKS, ACCOUNTS] = [['people'], ['links'], ['accounts']] as const;

export function usePeople(enabled = true) {
  return useQuery({
    enabled,
    queryKey: PEOPLE,
    queryFn: async ({ signal }) => (await answerOf(api.GET('/dashboard/api/people', { signal }))).people,
  });
}

export function useOpenLinks() {
  return useQuery({
    queryKey: LINKS,
    queryFn: async ({ signal }) => (await answerOf(api.GET('/dashboard/api/links', { signal }))).links,
  });
}

export function useAccounts() {
  return useQuery({
    queryKey: ACCOUNTS,
    queryFn: async ({ signal }) => (await answerOf(api.GET('/dashboard/api/accounts', { signal }))).accounts,
  });
}

export interface NewInvitation {
  readonly email: string;
  readonly operator_role: Roles['operator_role'];
  readonly membership: Membership | null;
}

export function useInvite() {
  return useChange([LINKS], (body: NewInvitation) =>
    answerOf(api.POST('/dashboard/api/invitations', { body })),
  );
}

export function useRevokeLink() {
  return useChange([LINKS], (id: string) =>
    answerOf(api.DELETE('/dashboard/api/links/{link_id}', { params: { path: { link_id: id } } })),
  );
}

interface RolesChange {
  readonly id: string;
  readonly roles: Roles;
  /** The roles that the dialog showed: refused with `roles_changed` where the person has others by now. */
  readonly was: Roles;
}

export function useSetRoles() {
  return useChange([PEOPLE, LINKS, SESSION_KEY], ({ id, roles, was }: RolesChange) =>
    answerOf(
      api.PUT('/dashboard/api/people/{person_id}/roles', {
        params: { path: { person_id: id } },
        body: { ...roles, was },
      }),
    ),
  );
}

export function useRemovePerson() {
  return useChange([PEOPLE, LINKS], (id: string) =>
    answerOf(api.DELETE('/dashboard/api/people/{person_id}', { params: { path: { person_id: id } } })),
  );
}

export function useMakePasswordLink() {
  return useChange([LINKS], (id: string) =>
    answerOf(
      api.POST('/dashboard/api/people/{person_id}/password-link', { params: { path: { person_id: id } } }),
    ),
  );
}

/** Refetches the session too: an operator's session lists every account. */
export function useCreateAccount() {
  return useChange([ACCOUNTS, SESSION_KEY], (name: string) =>
    answerOf(api.POST('/dashboard/api/accounts', { body: { name } })),
  );
}
