import { Box, Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dimmed } from './dimmed.tsx';
import classes from './panel.module.css';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Panel({ title, description, actions, children }: Props) {
  return (
    <Paper component="section" className={classes.panel}>
      <Group justify="space-between" align="flex-start" mb="md" gap="xs">
        <Box>
          <Title order={2}>{title}</Title>
          {description !== undefined && <Dimmed size="sm">{description}</Dimmed>}
        </Box>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}
