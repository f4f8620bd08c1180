import { Alert, Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { curlLine } from '../../format/curl-line.ts';
import { Snippet } from '../../ui/snippet.tsx';

interface Props {
  readonly secret: string;
  readonly hasOwnAuthority: boolean;
  readonly onDone: () => void;
}

/** A secret, shown this once. Only the person's word that it is kept closes the dialog. */
export function SecretShown({ secret, hasOwnAuthority, onDone }: Props) {
  const [isKept, setIsKept] = useState(false);
  const line = curlLine(location.origin, secret, hasOwnAuthority);
  return (
    <Stack>
      <Alert color="yellow" title="Shown only now" icon={<IconEyeOff aria-hidden />}>
        Postern stores a hash of it and cannot show it again. Put it where your programs find it, and nowhere
        else.
      </Alert>
      <Snippet label="The key" text={secret} copyLabel="Copy the key" />
      <Snippet label="A first request" text={line} copyLabel="Copy the command" />
      {hasOwnAuthority && (
        <Text size="sm" c="dimmed">
          This service made its own certificate.{' '}
          <Anchor
            href="/dashboard/api/certificate-authority"
            download="postern-ca.pem"
            size="sm"
            underline="always"
          >
            Download its authority
          </Anchor>{' '}
          into the directory where you run the command.
        </Text>
      )}
      <Checkbox
        label="I have put the key where I will find it"
        checked={isKept}
        onChange={(event) => setIsKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={onDone} disabled={!isKept}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
