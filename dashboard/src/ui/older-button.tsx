import { Button, Stack } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { ErrorNotice } from './error-notice.tsx';

interface Props {
  readonly query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
  /** The title of an error, what was not done: "Older checks were not found". */
  readonly deed: string;
  readonly children: string;
}

/** Below rows that come page by page: fetches the next page. A failure is shown here, where the person is, and not above the rows. */
export function OlderButton({ query, deed, children }: Props) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = query;
  if (!hasNextPage) return null;
  return (
    <Stack gap="xs" align="center" mt="md">
      {isFetchNextPageError && <ErrorNotice error={error} deed={deed} />}
      <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {children}
      </Button>
    </Stack>
  );
}
