import { queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { forgetAllUnsaved } from '../unsaved-work.ts';
import { answerOf, api } from './client.ts';
import type { components } from './schema.d.ts';

export type Session = components['schemas']['session'];
export type AccountOfSession = Session['accounts'][number];

export const SESSION_KEY = ['session'] as const;

/** A session that has ended is kept: the page stays as it was, hidden, until its person signs in again. */
type KnownSession = Session & { readonly hasEnded?: true };

const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ client }): Promise<KnownSession | null> => {
    const { person, ...rest } = await answerOf(api.GET('/dashboard/api/session'));
    const last = client.getQueryData<KnownSession | null>(SESSION_KEY);
    if (person === null) return endedSession(last);
    if (last && last.person.id !== person.id) return clearFor(location);
    return { person, ...rest };
  },
  staleTime: 60_000,
});

/** Null where there was no session. */
export function endedSession(last: KnownSession | null | undefined): KnownSession | null {
  return last ? { ...last, hasEnded: true } : null;
}

/** Another person has signed in: the load clears everything of the last one from memory. Never resolves. */
function clearFor({ pathname, search, hash }: Location): Promise<never> {
  location.replace(`/sign-in?next=${encodeURIComponent(pathname + search + hash)}`);
  return new Promise(() => undefined);
}

/** The session of this tab; null where it had none. */
export function useSessionQuery() {
  return useQuery(sessionQuery);
}

/** The session, for pages behind the sign-in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error('This page is shown to those who are signed in.');
  return data;
}

/** Runs a call that signs a person in: answers of before are asked for again. */
export function useSessionChange<Input = void>(call: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: async () => {
      await client.invalidateQueries({ refetchType: 'none' });
      await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
    },
  });
}

export function useSignIn() {
  return useSessionChange((body: { email: string; password: string }) =>
    answerOf(api.POST('/dashboard/api/session', { body })),
  );
}

/**
 * Signs out, deletes the person's unsaved work from the browser, and loads the sign-in page anew. The load clears everything of theirs
 * from memory, and without `?next=` the next person is not led to their page.
 */
export function useSignOut(person: string) {
  return useMutation({
    mutationFn: async () => {
      await answerOf(api.DELETE('/dashboard/api/session'));
      forgetAllUnsaved(person);
      location.replace('/sign-in');
      // Never resolves: until the browser has left, the page stays as it is and asks nothing that would be refused.
      await new Promise(() => undefined);
    },
  });
}

export function useChangePassword() {
  return useMutation({
    mutationFn: (body: { current_password: string; new_password: string }) =>
      answerOf(api.PUT('/dashboard/api/session/password', { body })),
  });
}
