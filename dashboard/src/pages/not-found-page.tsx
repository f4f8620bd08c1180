import { Button, Group } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { type Access, may } from '../access.ts';
import { useAccount } from '../account-in-view.ts';
import { useSession } from '../api/session.ts';
import { PAGES } from '../pages.ts';
import { AccountLink, TextLink } from '../ui/account-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

/** For URLs without a page, and for pages that the person may not open. */
export function NotFoundPage() {
  const [path] = useLocation();
  const session = useSession();
  const account = useAccount();
  const refused = PAGES.find((page) => page.path === path);
  const others = PAGES.filter(({ section, access }) => section !== null && may(access, session, account));
  return (
    <Page title="Nothing here">
      <EmptyState
        icon={IconMapOff}
        title={refused === undefined ? 'No page has this address' : 'This page is not there for you'}
        action={
          <Button component={AccountLink} href="/">
            To the first page
          </Button>
        }
      >
        {refused === undefined
          ? `${path} may be mistyped, or from another version of Postern.`
          : `“${refused.title}” is for ${neededFor(refused.access)}. An owner of this Postern can give you that role.`}{' '}
        These pages are there:
      </EmptyState>
      <Group component="nav" aria-label="Pages that are there" justify="center" gap="md">
        {others.map(({ path: href, title }) => (
          <TextLink key={href} href={href}>
            {title}
          </TextLink>
        ))}
      </Group>
    </Page>
  );
}

function neededFor(access: Access): string {
  if (access === 'signed_in') return 'all who are signed in';
  if ('operator' in access) return access.operator === 'owner' ? 'owners' : 'analysts and owners';
  return access.account === 'viewer' ? 'members of an account' : 'developers of an account';
}
