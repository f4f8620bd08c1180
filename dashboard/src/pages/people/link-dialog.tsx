import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MadeLink } from '../../api/people.ts';
import { formatInstant } from '../../format/times.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface Props {
  readonly title: string;
  /** Undefined until it is made. */
  readonly link: MadeLink | undefined;
  /** Who is to get the link, and what for. */
  readonly purpose: string;
  readonly onClose: () => void;
  /** The form that is shown before. */
  readonly children: ReactNode;
}

/** Shows the form that makes a one-time link, then the link in its place. */
export function LinkDialog({ title, link, purpose, onClose, children }: Props) {
  return (
    <Dialog onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      {link === undefined ? children : <LinkShown {...{ link, purpose }} onDone={onClose} />}
    </Dialog>
  );
}

interface ShownProps extends Pick<Props, 'purpose'> {
  readonly link: MadeLink;
  readonly onDone: () => void;
}

/** Shown only now: Postern sends no mail. */
function LinkShown({ link, purpose, onDone }: ShownProps) {
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
