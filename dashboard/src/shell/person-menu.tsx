import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconLock, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useNavigateInAccount } from '../account-in-view.ts';
import { useSession, useSignOut } from '../api/session.ts';

/** Who is signed in, and the way out. */
export function PersonMenu() {
  const { person, operator_role } = useSession();
  const signOut = useSignOut();
  const navigate = useNavigateInAccount();
  return (
    <Menu position="bottom-end" shadow="md" width={240}>
      <Menu.Target>
        <ActionIcon size="lg" aria-label={`Signed in as ${person.name}`} loading={signOut.isPending}>
          <IconUserCircle size={22} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="bright" truncate>
            {person.name}
          </Text>
          <Text size="xs" truncate>
            {person.email}
            {operator_role !== null && ` · ${operator_role}`}
          </Text>
        </Menu.Label>
        <Menu.Item
          leftSection={<IconLock size={16} aria-hidden />}
          onClick={() => navigate('/account/password')}
        >
          Change password
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
