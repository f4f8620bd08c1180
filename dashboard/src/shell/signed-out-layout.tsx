import { Box, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Dimmed } from '../ui/dimmed.tsx';
import { ColorSchemeSwitch } from './color-scheme.tsx';
import classes from './signed-out-layout.module.css';
import { Wordmark } from './wordmark.tsx';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of pages that need no session: one card. */
export function SignedOutLayout({ title, description, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);
  return (
    <div className={classes.page}>
      <main className={classes.card}>
        <Stack gap="lg">
          <Box mx="auto">
            <Wordmark />
          </Box>
          <Paper p="xl" className={classes.paper}>
            <Title order={1}>{title}</Title>
            {description !== undefined && (
              <Dimmed size="sm" mt={4}>
                {description}
              </Dimmed>
            )}
            <Box mt="lg">{children}</Box>
          </Paper>
        </Stack>
      </main>
      <footer className={classes.foot}>
        <ColorSchemeSwitch />
      </footer>
    </div>
  );
}
