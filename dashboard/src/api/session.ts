import { queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { forgetAllUnsaved } from '../unsaved-work.ts';
import { answerOf, api } from './client.ts';
import type { components } from './schema.d.ts';

export type Session = components['schemas']['session'];
export type AccountOfSession = Session['accounts'][number];

export const SESSION_KEY = ['session'] as const;

const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async (): Promise<Session | null> => {
    const { person, ...rest } = await answerOf(api.GET('/dashboard/api/session'));
    return person === null ? null : { person, ...rest };
  },
  staleTime: 60_000,
});

/** The person who is signed in; null where none is. */
export function useSessionQuery() {
  return useQuery(sessionQuery);
}

/** The session, for pages behind the sign-in. A page that renders once more after the session has ended gets the last session. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  const last = useRef(data);
  if (data !== null) last.current = data;
  if (last.current === null) throw new Error('This page is shown to those who are signed in.');
  return last.current;
}

/** Runs a call after which another person, or none, is signed in: all cached answers are dropped. */
export function useSessionChange<Input = void>(call: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: async () => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
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
