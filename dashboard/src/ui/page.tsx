import { Box, Button, Group, Stack, Title } from '@mantine/core';
import { IconBook } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { AccountLink } from './account-link.tsx';
import { Dimmed } from './dimmed.tsx';

interface Props {
  readonly title: string;
  /** One sentence, where the title leaves a question. */
  readonly description?: ReactNode;
  /** Buttons that concern the whole page. */
  readonly actions?: ReactNode;
  /** The document that explains the page, after `/docs/`: `rules#deciding`. A test checks that it exists. */
  readonly docs?: string;
  readonly children: ReactNode;
}

/** The frame of a page: its one heading of the first rank, what it is for, and what can be done. */
export function Page({ title, description, actions, docs, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box maw="44rem">
          <Title order={1}>{title}</Title>
          {description !== undefined && (
            <Dimmed size="sm" mt={4}>
              {description}
            </Dimmed>
          )}
        </Box>
        {(actions !== undefined || docs !== undefined) && (
          <Group gap="xs">
            {actions}
            {docs !== undefined && (
              <Button
                component={AccountLink}
                href={`/docs/${docs}`}
                variant="subtle"
                color="gray"
                leftSection={<IconBook size={16} aria-hidden />}
              >
                Docs
              </Button>
            )}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}
