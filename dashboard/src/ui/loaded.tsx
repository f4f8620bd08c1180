import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';

interface Props<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'> & {
    /** An OlderButton shows this error. */
    readonly isFetchNextPageError?: boolean;
  };
  /** The title of an error, what was not done: "The keys could not be loaded". */
  readonly deed: string;
  /** Names the placeholder: "Loading the keys". */
  readonly label: string;
  readonly height: number;
  readonly children: (data: Data) => ReactNode;
}

/** The answer to a query, and a placeholder until it is there. An error stands above the last answer. */
export function Loaded<Data>({ query, deed, label, height, children }: Props<Data>) {
  const { data, error, refetch, isFetchNextPageError } = query;
  return (
    <>
      {!isFetchNextPageError && <ErrorNotice error={error} deed={deed} onRetry={() => refetch()} />}
      {data === undefined && error === null && <Skeleton h={height} role="status" aria-label={label} />}
      {data !== undefined && children(data)}
    </>
  );
}
