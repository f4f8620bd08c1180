import { Button } from '@mantine/core';
import { useAccountNames } from '../../account-in-view.ts';
import { type OpenLink, useOpenLinks, useRevokeLink } from '../../api/people.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { describeRoles } from './role-text.ts';

/** Links that have not been used; nothing where there are none. */
export function LinksPanel() {
  const nameOf = useAccountNames();
  const { data: links = [], error, refetch } = useOpenLinks();
  const revoke = useRevokeLink();
  const failed = <ErrorNotice error={error} deed="The links could not be loaded" onRetry={() => refetch()} />;
  if (links.length === 0) return failed;
  const columns: readonly Column<OpenLink>[] = [
    {
      key: 'for',
      header: 'For',
      render: (link) => (
        <>
          {link.email ?? 'Any person'}
          <Dimmed>{purposeOf(link, nameOf)}</Dimmed>
        </>
      ),
    },
    { key: 'made', header: 'Made', render: ({ created_at }) => <RelativeTime at={created_at} /> },
    { key: 'ends', header: 'Ends', render: ({ expires_at }) => <RelativeTime at={expires_at} /> },
    {
      key: 'change',
      header: 'Change',
      align: 'end',
      isHeaderHidden: true,
      render: (link) => (
        <Button
          size="xs"
          variant="default"
          aria-label={`Revoke the link for ${NAMES[link.purpose]} of ${link.email ?? 'any person'}`}
          loading={revoke.isPending && revoke.variables === link.id}
          onClick={() => revoke.mutate(link.id)}
        >
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <Panel
      title="Links not used yet"
      description="Each can be used once, until it ends. A link is not shown again: make another one."
    >
      {failed}
      <ErrorNotice error={revoke.error} deed="The link was not revoked" />
      <DataTable
        caption="Links not used yet"
        columns={columns}
        rows={links}
        rowKey={({ id }) => id}
        empty={null}
      />
    </Panel>
  );
}

const NAMES: Readonly<Record<OpenLink['purpose'], string>> = {
  setup: 'the set-up',
  invitation: 'the invitation',
  password: 'a new password',
};

function purposeOf(
  { purpose, operator_role, membership }: OpenLink,
  nameOf: (accountId: string) => string,
): string {
  if (purpose === 'password') return 'Chooses a new password';
  const roles = describeRoles({ operator_role, memberships: membership ? [membership] : [] }, nameOf);
  return purpose === 'setup' ? `Is set up: ${roles}` : `Is invited: ${roles}`;
}
