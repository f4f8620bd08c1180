import { Button, Table, Text } from '@mantine/core';
import { type OpenLink, useOpenLinks, useRevokeLink } from '../../api/people.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { describeRoles } from './role-text.ts';

/** Links that have not been used; nothing where there are none. */
export function LinksPanel({ nameOf }: { readonly nameOf: (accountId: string) => string }) {
  const { data: links, error } = useOpenLinks();
  const revoke = useRevokeLink();
  if (error !== null) return <ErrorNotice error={error} deed="The links could not be loaded" />;
  if (links === undefined || links.length === 0) return null;
  return (
    <Panel
      title="Links not used yet"
      description="Each can be used once, until it ends. A link is not shown again: make another one."
    >
      {revoke.error !== null && <ErrorNotice error={revoke.error} deed="The link was not revoked" />}
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">For</Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              Made
            </Table.Th>
            <Table.Th scope="col">Ends</Table.Th>
            <Table.Th scope="col" ta="right">
              Change
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {links.map((link) => (
            <Table.Tr key={link.id}>
              <Table.Th scope="row" fw={500}>
                {link.email ?? 'Any person'}
                <Text size="xs" c="dimmed">
                  {purposeOf(link, nameOf)}
                </Text>
              </Table.Th>
              <Table.Td visibleFrom="sm">
                <RelativeTime at={link.created_at} />
              </Table.Td>
              <Table.Td>
                <RelativeTime at={link.expires_at} />
              </Table.Td>
              <Table.Td ta="right">
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Revoke the link for ${NAMES[link.purpose]} of ${link.email ?? 'any person'}`}
                  loading={revoke.isPending && revoke.variables === link.id}
                  onClick={() => revoke.mutate(link.id)}
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
