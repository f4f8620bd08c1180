import { ActionIcon, Badge, Menu, Table, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { Person } from '../../api/people.ts';
import { useSession } from '../../api/session.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { describeRoles } from './role-text.ts';

export type PersonAct = 'roles' | 'password' | 'remove';

interface Props {
  readonly people: readonly Person[];
  readonly nameOf: (accountId: string) => string;
  readonly onAct: (act: PersonAct, person: Person) => void;
}

export function PeopleTable({ people, nameOf, onAct }: Props) {
  const { person: self } = useSession();
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Person</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            May
          </Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            Joined
          </Table.Th>
          <Table.Th scope="col" ta="right">
            Change
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {people.map((person) => (
          <Table.Tr key={person.id}>
            <Table.Th scope="row" fw={500}>
              {person.name}{' '}
              {person.id === self.id && (
                <Badge size="xs" variant="light" tt="none">
                  you
                </Badge>
              )}
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {person.email}
              </Text>
              <Text size="xs" hiddenFrom="sm">
                {describeRoles(person, nameOf)}
              </Text>
            </Table.Th>
            <Table.Td visibleFrom="sm">{describeRoles(person, nameOf)}</Table.Td>
            <Table.Td visibleFrom="sm">
              <RelativeTime at={person.created_at} />
            </Table.Td>
            <Table.Td ta="right">
              <Menu position="bottom-end" withinPortal>
                <Menu.Target>
                  <ActionIcon aria-label={`Change ${person.name}`}>
                    <IconDots size={16} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => onAct('roles', person)}>What they may do …</Menu.Item>
                  <Menu.Item onClick={() => onAct('password', person)}>A link for a new password …</Menu.Item>
                  {person.id !== self.id && (
                    <Menu.Item color="red" onClick={() => onAct('remove', person)}>
                      Remove …
                    </Menu.Item>
                  )}
                </Menu.Dropdown>
              </Menu>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
