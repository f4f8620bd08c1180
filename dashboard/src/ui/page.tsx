import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface Props {
  readonly title: string;
  /** One sentence, where the title leaves a question. */
  readonly description?: ReactNode;
  /** Buttons that concern the whole page. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of a page: its one heading of the first rank, what it is for, and what can be done. */
export function Page({ title, description, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box maw="44rem">
          <Title order={1}>{title}</Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" mt={4}>
              {description}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
