import { Button, Menu, Text } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import { useAccount } from '../account-in-view.ts';
import { useSession } from '../api/session.ts';

/** Which account the pages show. Only for those who have more than one. */
export function AccountSwitcher() {
  const { accounts } = useSession();
  const account = useAccount();
  const [, setSearch] = useSearchParams();
  if (account === undefined) return null;
  if (accounts.length === 1) {
    return (
      <Text size="sm" c="dimmed" truncate maw={180} visibleFrom="sm">
        {account.name}
      </Text>
    );
  }
  // What else stands in the address belongs to the account before.
  const choose = (id: string) => setSearch({ account: id });
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          maw={200}
          rightSection={<IconSelector size={14} aria-hidden />}
          aria-label={`Account: ${account.name}. Choose another`}
        >
          <Text span size="sm" truncate>
            {account.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.Label>Accounts</Menu.Label>
        {accounts.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() => choose(id)}
            rightSection={id === account.id ? <IconCheck size={14} aria-label="in view" /> : null}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
