import { Group, Select, TextInput } from '@mantine/core';
import { useAccount } from '../../account-in-view.ts';
import { useAddress } from '../../address.ts';
import { type AuditFilter, useAuditTrail, useRemovedPeople } from '../../api/audit.ts';
import { usePeople } from '../../api/people.ts';
import { useSession } from '../../api/session.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { OlderButton } from '../../ui/older-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { dayIn, readFilter } from './audit-filters.ts';
import { AuditList } from './audit-list.tsx';
import { ACTION_TEXT } from './audit-text.ts';

const ACTIONS = Object.entries(ACTION_TEXT).map(([value, label]) => ({ value, label }));

export default function AuditPage() {
  const { operator_role } = useSession();
  const account = useAccount();
  const [search] = useAddress();
  const isOperator = operator_role !== null;
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
      {/* Operators see everything; members what was done in the account in view. */}
      <Trail filter={readFilter(search, isOperator ? undefined : account?.id)} />
    </Page>
  );
}

/** The filters stand in the URL, so that they can be shared and Back undoes a choice. */
function Filters({ isOwner }: { readonly isOwner: boolean }) {
  const [search, put] = useAddress();
  const dayField = (name: 'since' | 'until', label: string) => (
    <TextInput
      type="date"
      label={label}
      value={dayIn(search, name) ?? ''}
      // While a year is typed each digit makes another day: they share one history entry, so that Back skips them.
      onChange={(event) => put({ [name]: event.currentTarget.value }, { replace: search.has(name) })}
    />
  );
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label="What was done"
        placeholder="Everything"
        data={ACTIONS}
        value={search.get('action')}
        onChange={(action) => put({ action })}
        clearable
        clearButtonProps={{ 'aria-label': 'Everything that was done' }}
        searchable
        w={{ base: '100%', sm: 260 }}
      />
      {(isOwner || search.has('person')) && (
        <PersonFilter isOwner={isOwner} value={search.get('person')} onChange={(person) => put({ person })} />
      )}
      {dayField('since', 'From')}
      {dayField('until', 'To')}
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
  const { data: removed = [] } = useRemovedPeople(isOwner);
  const names = new Map([
    ...(value === null ? [] : [[value, value] as const]),
    ...removed.map(({ id, email }) => [id, `${email}, removed`] as const),
    ...people.map(({ id, name, email }) => [id, `${name}, ${email}`] as const),
  ]);
  return (
    <Select
      label="Person"
      placeholder="All people"
      data={[...names].map(([id, label]) => ({ value: id, label }))}
      value={value}
      onChange={onChange}
      clearable
      clearButtonProps={{ 'aria-label': 'All people' }}
      searchable
      w={{ base: '100%', sm: 200 }}
    />
  );
}

function Trail({ filter }: { readonly filter: AuditFilter }) {
  const trail = useAuditTrail(filter);
  return (
    <Panel title="Newest first">
      <Loaded
        query={trail}
        deed="The audit trail could not be loaded"
        label="Loading the audit trail"
        height={200}
      >
        {({ pages }) => <AuditList entries={pages.flatMap(({ entries }) => entries)} />}
      </Loaded>
      <OlderButton query={trail} deed="Older entries could not be loaded">
        Older
      </OlderButton>
    </Panel>
  );
}
