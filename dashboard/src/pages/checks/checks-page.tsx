import { Button, Stack } from '@mantine/core';
import { IconDownload, IconListSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useMay } from '../../account-in-view.ts';
import { placeOf, useChecks, useSaveChecks } from '../../api/checks.ts';
import { formatInstant } from '../../format/times.ts';
import { isAll, type Scope, useScope } from '../../scope.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { OlderButton } from '../../ui/older-button.tsx';
import { Page } from '../../ui/page.tsx';
import { ScopeSwitch } from '../../ui/scope-switch.tsx';
import { ActiveFilters } from './active-filters.tsx';
import { BulkLabels } from './bulk-labels.tsx';
import { chosenRange, readFilters } from './check-filters.ts';
import { CheckSearchForm } from './check-search-form.tsx';
import { CheckTable } from './check-table.tsx';
import { NewChecks } from './new-checks.tsx';

/** The default of the endpoint. */
const PAGE_ROWS = 50;

/** Every check on record, by whatever is known of it. */
export default function ChecksPage() {
  const [search] = useSearchParams();
  const scope = useScope();
  const filters = readFilters(search);
  const range = chosenRange(search);
  const found = useChecks(scope, filters, range);
  const save = useSaveChecks(scope, filters, range);
  const rows = found.data?.pages.flatMap(({ checks }) => checks);
  const last = found.data?.pages.at(-1);
  const isFull = last === undefined || last.checks.length === PAGE_ROWS;
  const [choice, setChoice] = useState<readonly string[]>([]);
  // A check that is not shown any more is not chosen.
  const chosen = new Set(choice.filter((id) => rows?.some((row) => row.id === id)));
  const onChoose = (ids: readonly string[]) => setChoice(ids);
  const isDeveloper = useMay({ account: 'developer' });
  const mayLabel = isDeveloper && !isAll(scope);
  // Where a search found nothing, newer checks are those since the page was opened.
  const [opened] = useState(() => `${new Date().toISOString()}.~`);
  const isFiltered = Object.keys(filters).length > 0 || range !== null;
  return (
    <Page
      docs="dashboard#overview-and-checks"
      title="Checks"
      description="Every answered check, the newest first. Open one to see why it was answered so."
      actions={
        <>
          <ScopeSwitch />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            As CSV
          </Button>
        </>
      }
    >
      <Stack gap="md">
        <ErrorNotice error={save.error} deed="The file was not made" />
        <CheckSearchForm filters={filters} />
        <ActiveFilters filters={filters} range={range} />
        {rows !== undefined && (
          <NewChecks
            {...{ scope, filters, range }}
            place={rows[0] === undefined ? opened : placeOf(rows[0])}
            onShow={() => found.refetch()}
          />
        )}
        {mayLabel && (
          <BulkLabels
            accountId={scope.accountId}
            chosen={chosen}
            all={rows?.filter(({ environment }) => environment === 'live') ?? []}
            onChoose={onChoose}
          />
        )}
        {!found.isFetchNextPageError && (
          <ErrorNotice error={found.error} deed="The checks were not found" onRetry={() => found.refetch()} />
        )}
        {(rows !== undefined || found.error === null) && (
          <CheckTable
            rows={rows}
            hasAccounts={isAll(scope)}
            choice={mayLabel ? { chosen, onChoose } : null}
            empty={
              <NothingFound {...{ isFiltered, scope }} searchedBackTo={last?.searched_back_to ?? null} />
            }
          />
        )}
        {found.hasNextPage && !isFull && last.searched_back_to !== null && rows?.length !== 0 && (
          <Dimmed size="sm" role="status" ta="center">
            {`Every check since ${formatInstant(last.searched_back_to)} has been looked at; older ones may be like this too.`}
          </Dimmed>
        )}
        <OlderButton query={found} deed="Older checks were not found">
          {isFull ? 'Show older checks' : 'Look further back'}
        </OlderButton>
      </Stack>
    </Page>
  );
}

interface NothingProps {
  readonly isFiltered: boolean;
  readonly scope: Scope;
  readonly searchedBackTo: string | null;
}

function NothingFound({ isFiltered, scope, searchedBackTo }: NothingProps) {
  if (searchedBackTo !== null) {
    return (
      <EmptyState icon={IconListSearch} title="Nothing found yet">
        {`Every check since ${formatInstant(searchedBackTo)} has been looked at, and none is like this. Go on to look at older ones, or choose a time to begin there.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconListSearch} title={isFiltered ? 'No such check' : 'No checks yet'}>
      <Dimmed size="sm">
        {isFiltered
          ? `No check ${isAll(scope) ? '' : 'of this account '}on record is like this. Records are kept for as many days as the service’s configuration says, and go when a person is forgotten.`
          : 'Each answered check is on record before its answer leaves, and stands here at once. The overview has a line to send the first one with.'}
      </Dimmed>
    </EmptyState>
  );
}
