import { Button, Table, Text } from '@mantine/core';
import { useInvitations, useRevokeInvitation } from '../../api/people.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { describeRoles } from './role-text.ts';

/** Links that were made and that nobody has used; nothing where there are none. */
export function InvitationsPanel({ nameOf }: { readonly nameOf: (accountId: string) => string }) {
  const { data: invitations, error } = useInvitations();
  const revoke = useRevokeInvitation();
  if (error !== null) return <ErrorNotice error={error} />;
  if (invitations === undefined || invitations.length === 0) return null;
  return (
    <Panel
      title="Invitations"
      description="Made and not used yet. A link is not shown again: make another one."
    >
      {revoke.error !== null && <ErrorNotice error={revoke.error} />}
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">For</Table.Th>
            <Table.Th scope="col">Ends</Table.Th>
            <Table.Th scope="col" ta="right">
              Change
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map(({ id, email, operator_role, membership, expires_at }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" fw={500}>
                {email}
                <Text size="xs" c="dimmed">
                  {describeRoles({ operator_role, memberships: membership ? [membership] : [] }, nameOf)}
                </Text>
              </Table.Th>
              <Table.Td>
                <RelativeTime at={expires_at} />
              </Table.Td>
              <Table.Td ta="right">
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Revoke the invitation of ${email}`}
                  loading={revoke.isPending && revoke.variables === id}
                  onClick={() => revoke.mutate(id)}
                >
                  Revoke
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
