import { Button, Menu, Text } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import { useAccount } from '../account-in-view.ts';
import { useSession } from '../api/session.ts';
import { Dimmed } from '../ui/dimmed.tsx';

/** The account that the pages show; a menu of all where there is more than one, or where the URL names an unknown one. */
export function AccountSwitcher() {
  const { accounts } = useSession();
  const account = useAccount();
  const [, setSearch] = useSearchParams();
  if (accounts.length === 0) return null;
  if (accounts.length === 1 && account !== undefined) {
    return (
      <Dimmed size="sm" truncate maw={180} title={account.name}>
        {account.name}
      </Dimmed>
    );
  }
  // Drops the other search parameters: they belong to the account before.
  const choose = (id: string) => setSearch({ account: id });
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          maw={240}
          miw={0}
          title={account?.name}
          rightSection={<IconSelector size={14} aria-hidden />}
          aria-label={account ? `Account: ${account.name}. Choose another` : 'Choose an account'}
        >
          <Text span size="sm" truncate>
            {account?.name ?? 'Choose an account'}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} maw="min(26rem, 90vw)" style={{ overflowY: 'auto', overflowWrap: 'anywhere' }}>
        <Menu.Label>Accounts</Menu.Label>
        {accounts.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() => choose(id)}
            rightSection={id === account?.id ? <IconCheck size={14} aria-label="in view" /> : null}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
