import { Box, Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
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
          {description !== undefined && (
            <Text c="dimmed" size="sm">
              {description}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}
