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

/** Who is signed in, on the pages behind the sign-in. A page that is drawn once more when the session has ended has the last one. */
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
 * Takes what the person has not saved out of the browser too, and loads the sign-in anew: nothing of theirs is in memory then, and the
 * page that they were at is not where the next person is led.
 */
export function useSignOut(person: string) {
  return useMutation({
    mutationFn: async () => {
      await answerOf(api.DELETE('/dashboard/api/session'));
      forgetAllUnsaved(person);
      location.replace('/sign-in');
      // Until then the page stays as it is, and asks nothing that would be refused.
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
