import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { components } from './schema.d.ts';
import { SESSION_KEY } from './session.ts';

export type Person = components['schemas']['person'];
export type Roles = components['schemas']['roles'];
export type Membership = components['schemas']['membership'];
export type Invitation = components['schemas']['invitation'];
export type MadeLink = components['schemas']['made_link'];
export type Account = components['schemas']['account'];

export function usePeople() {
  return useQuery({
    queryKey: ['people'],
    queryFn: async ({ signal }) => (await answerOf(api.GET('/dashboard/api/people', { signal }))).people,
  });
}

export function useInvitations() {
  return useQuery({
    queryKey: ['invitations'],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/dashboard/api/invitations', { signal }))).invitations,
  });
}

export function useAccounts() {
  return useQuery({
    queryKey: ['accounts'],
    queryFn: async ({ signal }) => (await answerOf(api.GET('/dashboard/api/accounts', { signal }))).accounts,
  });
}

export interface NewInvitation {
  readonly email: string;
  readonly operator_role: Roles['operator_role'];
  readonly membership: Membership | null;
}

export function useInvite() {
  return useChange(['invitations'], (body: NewInvitation) =>
    answerOf(api.POST('/dashboard/api/invitations', { body })),
  );
}

export function useRevokeInvitation() {
  return useChange(['invitations'], (id: string) =>
    answerOf(
      api.DELETE('/dashboard/api/invitations/{invitation_id}', { params: { path: { invitation_id: id } } }),
    ),
  );
}

export function useSetRoles() {
  return useChange(['people', ...SESSION_KEY], ({ id, roles }: { id: string; roles: Roles }) =>
    answerOf(
      api.PUT('/dashboard/api/people/{person_id}/roles', {
        params: { path: { person_id: id } },
        body: roles,
      }),
    ),
  );
}

export function useRemovePerson() {
  return useChange(['people'], (id: string) =>
    answerOf(api.DELETE('/dashboard/api/people/{person_id}', { params: { path: { person_id: id } } })),
  );
}

export function useMakePasswordLink() {
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(
        api.POST('/dashboard/api/people/{person_id}/password-link', { params: { path: { person_id: id } } }),
      ),
  });
}

/** Operators may look into every account, so the session has one more too. */
export function useCreateAccount() {
  return useChange(['accounts', ...SESSION_KEY], (name: string) =>
    answerOf(api.POST('/dashboard/api/accounts', { body: { name } })),
  );
}

/** After it, what was asked under these keys is asked again. */
function useChange<Input, Output>(keys: readonly string[], change: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
}
