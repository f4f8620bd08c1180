import { Button, Code, Group } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { useAddress } from '../address.ts';
import { useSession } from '../api/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

/** Accounts offered here at most; the header's menu has all of them. */
const MOST_OFFERED = 8;

/** For a URL that names an account which the person does not have. Nothing of another account is shown under it. */
export function UnknownAccountPage({ named }: { readonly named: string }) {
  const { accounts } = useSession();
  const [, put] = useAddress();
  return (
    <Page title="An account that you do not have">
      <EmptyState
        icon={IconMapOff}
        title="This address names another account"
        action={
          <Group gap="xs" justify="center">
            {accounts.slice(0, MOST_OFFERED).map(({ id, name }) => (
              <Button
                key={id}
                variant="default"
                maw="18rem"
                title={name}
                onClick={() => put({ account: id })}
              >
                {name}
              </Button>
            ))}
            {accounts.length === 0 && (
              <Button onClick={() => put({ account: null })}>Go on without one</Button>
            )}
          </Group>
        }
      >
        {'You are no member of '}
        <Code style={{ overflowWrap: 'anywhere' }}>{named}</Code>
        {', or there is none of that id. '}
        {accounts.length > 0 && 'The same page of an account that you have:'}
      </EmptyState>
    </Page>
  );
}
