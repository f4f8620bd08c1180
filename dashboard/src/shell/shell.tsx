import { AppShell, Burger, Group, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../api/session.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { AccountSwitcher } from './account-switcher.tsx';
import { AttentionBell } from './attention-bell.tsx';
import { ColorSchemeSwitch } from './color-scheme.tsx';
import { Navigation } from './navigation.tsx';
import { PaletteButton } from './palette-button.tsx';
import { PersonMenu } from './person-menu.tsx';
import classes from './shell.module.css';
import { HomeLink } from './wordmark.tsx';

const HEADER_PX = 56;
const DEMO_PX = 28;

/** What stands around every page behind the sign-in. */
export function Shell({ children }: { children: ReactNode }) {
  const { demo, version } = useSession();
  const [path] = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);

  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    close();
    main.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [path, close]);

  return (
    <AppShell
      header={{ height: HEADER_PX + (demo ? DEMO_PX : 0) }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <AppShell.Header className={classes.header}>
        {demo && <p className={classes.demo}>A demonstration: people and traffic are made up.</p>}
        <Group h={HEADER_PX} px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={isOpen ? 'Close the navigation' : 'Open the navigation'}
            aria-expanded={isOpen}
          />
          <HomeLink />
          <Group gap="xs" ml="auto" miw={0} wrap="nowrap">
            <AccountSwitcher />
            <PaletteButton />
            <AttentionBell />
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label="Pages">
        <AppShell.Section grow component={ScrollArea} px="xs" py="xs">
          <Navigation />
        </AppShell.Section>
        <AppShell.Section p="md">
          <Group justify="space-between">
            <ColorSchemeSwitch />
            <small>{version}</small>
          </Group>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main ref={main} id="content" tabIndex={-1}>
        <div className={classes.content}>
          <ErrorBoundary key={path}>{children}</ErrorBoundary>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
