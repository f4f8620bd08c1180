import { Anchor, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { useParams, useSearchParams } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { useCheck } from '../../api/checks.ts';
import type { Published } from '../../api/lists.ts';
import { useScope } from '../../scope.ts';
import { AccountLink } from '../../ui/account-link.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Page } from '../../ui/page.tsx';
import { chosenRange, readFilters } from '../checks/check-filters.ts';
import { PublishedNotice } from '../lists/published-notice.tsx';
import { AddToList } from './add-to-list.tsx';
import { CheckHead } from './check-head.tsx';
import { CheckLedger } from './check-ledger.tsx';
import { CheckSignals } from './check-signals.tsx';
import { CheckTimings } from './check-timings.tsx';
import { Neighbours } from './neighbours.tsx';
import { NoSuchCheck } from './no-such-check.tsx';
import { TodaysRules } from './todays-rules.tsx';

/** One check, and why it was answered so. */
export default function CheckPage() {
  const { id = '' } = useParams();
  const scope = useScope();
  const [search] = useSearchParams();
  const [published, setPublished] = useState<Published | null>(null);
  const isNarrowed = Object.keys(readFilters(search)).length > 0 || chosenRange(search) !== null;
  const { data: check, error, refetch } = useCheck(scope, id);
  const title = check
    ? (check.address ?? (check.domain === null ? 'A check' : `…@${check.domain}`))
    : 'A check';
  return (
    <Page
      docs="rules#the-ledger"
      title={title}
      description={
        <Anchor component={AccountLink} href={search.size === 0 ? '/checks' : `/checks?${search}`} size="sm">
          {isNarrowed ? 'Back to the search' : 'All checks'}
        </Anchor>
      }
      actions={
        check && (
          <>
            <Neighbours check={check} />
            <AddToList check={check} onDone={setPublished} />
          </>
        )
      }
    >
      {check === undefined ? (
        error === null ? (
          <Skeleton h={320} role="status" aria-label="Loading the check" />
        ) : error instanceof ApiError && error.code === 'not_found' ? (
          <NoSuchCheck id={id} scope={scope} />
        ) : (
          <ErrorNotice error={error} deed="The check could not be loaded" onRetry={() => refetch()} />
        )
      ) : (
        <Stack gap="md">
          {published !== null && <PublishedNotice published={published} onClose={() => setPublished(null)} />}
          <CheckHead check={check} />
          <CheckLedger check={check} />
          <TodaysRules check={check} />
          <CheckSignals check={check} />
          <CheckTimings check={check} />
        </Stack>
      )}
    </Page>
  );
}
