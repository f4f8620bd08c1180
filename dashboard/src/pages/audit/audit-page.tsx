import { Button, Center, Group, Select, Skeleton, TextInput } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import { useAccount } from '../../account-in-view.ts';
import { type AuditFilter, useAuditTrail } from '../../api/audit.ts';
import { usePeople } from '../../api/people.ts';
import { useSession } from '../../api/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { dayIn, readFilter } from './audit-filters.ts';
import { AuditList } from './audit-list.tsx';
import { ACTION_TEXT } from './audit-text.ts';

const ACTIONS = Object.entries(ACTION_TEXT).map(([value, label]) => ({ value, label }));

export default function AuditPage() {
  const { operator_role, accounts } = useSession();
  const account = useAccount();
  const [search] = useSearchParams();
  const isOperator = operator_role !== null;
  // Operators see everything; members what was done in the account in view.
  const filter = readFilter(search, isOperator ? undefined : account?.id);
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  return (
    <Page
      docs="dashboard#what-is-kept-and-where"
      title="Audit trail"
      description={
        isOperator
          ? 'Who did what, and when. Nothing here can be changed or taken out.'
          : `What was done in ${account?.name ?? 'your account'}, by whom, and when.`
      }
    >
      <Filters isOwner={operator_role === 'owner'} />
      <Trail filter={filter} nameOf={(id) => names.get(id) ?? id} />
    </Page>
  );
}

/** The filters stand in the URL, so that they can be shared and Back undoes a choice. */
function Filters({ isOwner }: { readonly isOwner: boolean }) {
  const [search, setSearch] = useSearchParams();
  const choose = (name: string, value: string | null, options?: { readonly replace: boolean }) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (value === null || value === '') next.delete(name);
      else next.set(name, value);
      return next;
    }, options);
  // While a year is typed each digit makes another day: they share one history entry, so that Back skips them.
  const chooseDay = (name: string, value: string) => choose(name, value, { replace: search.has(name) });
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label="What was done"
        placeholder="Everything"
        data={ACTIONS}
        value={search.get('action')}
        onChange={(value) => choose('action', value)}
        clearable
        clearButtonProps={{ 'aria-label': 'Everything that was done' }}
        searchable
        w={{ base: '100%', sm: 260 }}
      />
      {(isOwner || search.has('person')) && (
        <PersonFilter
          isOwner={isOwner}
          value={search.get('person')}
          onChange={(value) => choose('person', value)}
        />
      )}
      <TextInput
        type="date"
        label="From"
        value={dayIn(search, 'since') ?? ''}
        onChange={(event) => chooseDay('since', event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="To"
        value={dayIn(search, 'until') ?? ''}
        onChange={(event) => chooseDay('until', event.currentTarget.value)}
      />
    </Group>
  );
}

interface PersonFilterProps {
  /** Only owners may list people; others get a person from the URL alone. */
  readonly isOwner: boolean;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

function PersonFilter({ isOwner, value, onChange }: PersonFilterProps) {
  const { data: people = [] } = usePeople(isOwner);
  const known = people.map(({ id, name, email }) => ({ value: id, label: `${name}, ${email}` }));
  // A removed person is not listed, and still in the trail.
  const isKnown = value === null || known.some((one) => one.value === value);
  return (
    <Select
      label="Person"
      placeholder="All people"
      data={isKnown ? known : [...known, { value, label: value }]}
      value={value}
      onChange={onChange}
      clearable
      clearButtonProps={{ 'aria-label': 'All people' }}
      searchable
      w={{ base: '100%', sm: 200 }}
    />
  );
}

interface TrailProps {
  readonly filter: AuditFilter;
  readonly nameOf: (accountId: string) => string;
}

function Trail({ filter, nameOf }: TrailProps) {
  const trail = useAuditTrail(filter);
  const entries = trail.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Panel title="Newest first">
      {trail.error !== null && (
        <ErrorNotice
          error={trail.error}
          deed="The audit trail could not be loaded"
          onRetry={() => trail.refetch()}
        />
      )}
      {trail.isPending && <Skeleton h={200} />}
      {trail.isSuccess && entries.length === 0 && (
        <EmptyState icon={IconHistory} title="Nothing found">
          Signing in, keys, people, rules, lists and labels leave an entry here. Nothing that fits the choice
          above is among them.
        </EmptyState>
      )}
      {entries.length > 0 && <AuditList entries={entries} nameOf={nameOf} />}
      {trail.hasNextPage && (
        <Center mt="md">
          <Button
            variant="default"
            loading={trail.isFetchingNextPage}
            onClick={() => void trail.fetchNextPage()}
          >
            Older
          </Button>
        </Center>
      )}
    </Panel>
  );
}
