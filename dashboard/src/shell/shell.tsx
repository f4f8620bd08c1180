import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../api/session.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { ColorSchemeSwitch } from './color-scheme.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { usePalette } from './use-palette.ts';
import { HomeLink } from './wordmark.tsx';

/** Menus and overlays are as large as the page: loaded by themselves, they come after the figures on a slow line. */
const HeaderMenus = lazy(() => import('./header-menus.tsx'));
const CommandPalette = lazy(() => import('./palette/command-palette.tsx'));

const HEADER_PX = 56;
const DEMO_PX = 28;

/** The frame of every page behind the sign-in. */
export function Shell({ children }: { children: ReactNode }) {
  const { demo, version } = useSession();
  const [path] = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure();
  const palette = usePalette();
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
      // By default a resize moves the pages for 200 ms, and the rule editor measures its lines at the widths in between.
      transitionDuration={0}
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
            <Suspense>
              <HeaderMenus onOpenPalette={palette.open} />
            </Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label="Pages">
        <AppShell.Section grow px="xs" py="xs" className={classes.pages}>
          <Navigation />
        </AppShell.Section>
        <AppShell.Section p="md">
          <Group justify="space-between">
            <ColorSchemeSwitch />
            <small>{version}</small>
          </Group>
        </AppShell.Section>
      </AppShell.Navbar>
      {palette.isOpen && (
        <Suspense>
          <CommandPalette onClose={palette.close} />
        </Suspense>
      )}
      <AppShell.Main ref={main} id="content" tabIndex={-1} className={classes.main}>
        <div className={classes.content}>
          <ErrorBoundary key={path}>{children}</ErrorBoundary>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
