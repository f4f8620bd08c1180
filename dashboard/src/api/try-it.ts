import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { ApiError } from './api-error.ts';
import { answerOf, api } from './client.ts';
import { readLines } from './read-lines.ts';
import type { components } from './schema.d.ts';

export type TrialEvent = components['schemas']['trial_event'];
export type Begun = Extract<TrialEvent, { event: 'begun' }>;
export type Answered = Extract<TrialEvent, { event: 'answer' }>;
export type Decided = Extract<TrialEvent, { event: 'decided' }>;
export type TriableFact = components['schemas']['rule_fact'];
export type Facts = components['schemas']['facts'];
export type FactValue = Facts[string];
export type Decision = components['schemas']['decision'];

/** An address that is being tried, or was. */
export interface Trial {
  readonly isRunning: boolean;
  readonly begun: Begun | null;
  /** In the order in which they came. */
  readonly answers: readonly Answered[];
  /** The decision of the rules on the facts that are known so far. */
  readonly soFar: Decision | null;
  readonly decided: Decided | null;
  readonly error: unknown;
}

type Heard = Pick<Trial, 'begun' | 'answers' | 'soFar' | 'decided'>;

const NOTHING: Heard = { begun: null, answers: [], soFar: null, decided: null };
const BROKEN_OFF = {
  status: 0,
  code: 'broken_off',
  message: 'The answer broke off before the decision. Try again.',
} as const;

function take(heard: Heard, step: 'start' | TrialEvent): Heard {
  if (step === 'start') return NOTHING;
  switch (step.event) {
    case 'begun':
      return { ...heard, begun: step };
    case 'answer':
      return { ...heard, answers: [...heard.answers, step] };
    case 'so_far':
      return { ...heard, soFar: step.decision };
    case 'decided':
      return { ...heard, decided: step };
  }
}

/** Tries one address at a time; the next trial aborts the one before. */
export function useTrial(): readonly [Trial, (email: string) => void] {
  const [heard, tell] = useReducer(take, NOTHING);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (email: string) => {
      running.current?.abort();
      running.current = new AbortController();
      const { signal } = running.current;
      tell('start');
      try {
        const body = { email };
        const stream = await answerOf(api.POST('/dashboard/api/try-it', { body, signal, parseAs: 'stream' }));
        let isDecided = false;
        for await (const event of stream === null ? [] : readLines<TrialEvent>(stream)) {
          if (signal.aborted) return;
          isDecided ||= event.event === 'decided';
          tell(event);
        }
        if (!isDecided) throw new ApiError(BROKEN_OFF);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  });
  return [{ ...heard, isRunning: isPending, error }, mutate];
}

/** Every fact that can be tried. */
export function useTriableFacts() {
  return useQuery({
    queryKey: ['try-it'],
    queryFn: ({ signal }) => answerOf(api.GET('/dashboard/api/try-it', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface EditedFacts {
  readonly facts: Facts;
  readonly edits: Facts;
}

/**
 * The decision of the rules in force on edited facts, with the edits that it is of: the previous answer stays until the next one is there.
 * Null while nothing is edited, so that the next edit does not show an older answer.
 */
export function useDecisionOn(edited: EditedFacts | null) {
  const [facts, edits] = [edited?.facts ?? {}, edited?.edits ?? null];
  return useQuery({
    queryKey: ['try-it', 'decision', facts, edits],
    queryFn: async ({ signal }) => {
      if (edits === null) return null;
      const answer = await answerOf(api.POST('/dashboard/api/try-it/decision', { body: { facts }, signal }));
      return { ...answer, edits };
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
