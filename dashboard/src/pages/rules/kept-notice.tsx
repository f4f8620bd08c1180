import { Alert, Button, Group, Text } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { RelativeTime } from '../../ui/relative-time.tsx';

interface Props {
  readonly since: string;
  readonly onDiscard: () => void;
}

/** Says that the text on the page has unsaved changes of an earlier visit in it. */
export function KeptNotice({ since, onDiscard }: Props) {
  return (
    <Alert variant="light" icon={<IconRestore aria-hidden />} title="Your unsaved changes are here again">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          You typed them <RelativeTime at={since} />, and only this browser has them. Save them as a draft, or
          discard them.
        </Text>
        <Button size="xs" variant="default" onClick={onDiscard}>
          Discard them
        </Button>
      </Group>
    </Alert>
  );
}
