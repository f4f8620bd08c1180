import { ActionIcon, Badge, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useAccountNames } from '../../account-in-view.ts';
import type { Person } from '../../api/people.ts';
import { useSession } from '../../api/session.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { describeRoles } from './role-text.ts';

export type PersonAct = 'roles' | 'password' | 'remove';

interface Props {
  readonly people: readonly Person[];
  readonly onAct: (act: PersonAct, person: Person) => void;
}

export function PeopleTable({ people, onAct }: Props) {
  const { person: self } = useSession();
  const nameOf = useAccountNames();
  const columns: readonly Column<Person>[] = [
    {
      key: 'person',
      header: 'Person',
      render: ({ id, name, email }) => (
        <>
          {name} {id === self.id && <Badge size="xs">you</Badge>}
          <Dimmed>{email}</Dimmed>
        </>
      ),
    },
    { key: 'may', header: 'May', render: (person) => describeRoles(person, nameOf) },
    { key: 'joined', header: 'Joined', render: ({ created_at }) => <RelativeTime at={created_at} /> },
    {
      key: 'change',
      header: 'Change',
      align: 'end',
      render: (person) => (
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
      ),
    },
  ];
  return <DataTable caption="People" columns={columns} rows={people} rowKey={({ id }) => id} empty={null} />;
}
