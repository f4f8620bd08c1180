import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { AccountLink } from '../ui/account-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

/** For unknown addresses, and for pages that the person may not open: which of the two is not told. */
export function NotFoundPage() {
  return (
    <Page title="Nothing here">
      <EmptyState
        icon={IconMapOff}
        title="This page is not there for you"
        action={
          <Button component={AccountLink} href="/">
            To the first page
          </Button>
        }
      >
        The address may be mistyped, or the page belongs to a role or an account that you do not have. An
        owner of this Postern can change that.
      </EmptyState>
    </Page>
  );
}
