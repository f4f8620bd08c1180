import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useParams, useSearchParams } from 'wouter';
import { hasCode } from '../../api/api-error.ts';
import { useCheck } from '../../api/checks.ts';
import type { Published } from '../../api/lists.ts';
import { useScope } from '../../scope.ts';
import { TextLink } from '../../ui/account-link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
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
  const query = useCheck(scope, id);
  const { data: check } = query;
  const title = check?.address ?? (check?.domain ? `…@${check.domain}` : 'A check');
  return (
    <Page
      docs="rules#the-ledger"
      title={title}
      description={
        <TextLink href={search.size === 0 ? '/checks' : `/checks?${search}`}>
          {isNarrowed ? 'Back to the search' : 'All checks'}
        </TextLink>
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
      {check === undefined && hasCode(query.error, 'not_found') ? (
        <NoSuchCheck id={id} scope={scope} />
      ) : (
        <Loaded query={query} deed="The check could not be loaded" label="Loading the check" height={320}>
          {(check) => (
            <Stack gap="md">
              {published !== null && (
                <PublishedNotice published={published} onClose={() => setPublished(null)} />
              )}
              <CheckHead check={check} />
              <CheckLedger check={check} />
              <TodaysRules check={check} />
              <CheckSignals check={check} />
              <CheckTimings check={check} />
            </Stack>
          )}
        </Loaded>
      )}
    </Page>
  );
}
