import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { MadeLink } from '../../api/people.ts';
import { formatInstant } from '../../format/times.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

interface Props {
  readonly link: MadeLink;
  /** Who is to get the link, and what for. */
  readonly purpose: string;
  readonly onDone: () => void;
}

/** A one-time link, shown only now: Postern sends no mail. */
export function LinkShown({ link, purpose, onDone }: Props) {
  const address = `${location.origin}${link.path}`;
  return (
    <Stack>
      <Text size="sm">
        {purpose} Hand it over by a way that only they can read: it works for the first person who opens it.
        It is shown only now, and good once, until {formatInstant(link.expires_at)}.
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {address}
      </Code>
      <Group justify="space-between">
        <CopyButton value={address} label="Copy the link" isWide />
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
