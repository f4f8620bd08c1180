import { Badge, Stack, Text, Tooltip } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ApiKey } from '../../api/keys.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** What the key opens now, in a word, and what is to be known about it. */
export function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  const { state, expires_at, revoked_at, seen_in_clear_at } = apiKey;
  if (state === 'revoked') return <Ended word="revoked" at={revoked_at} />;
  if (state === 'ended') return <Ended word="ended" at={expires_at} />;
  return (
    <Stack gap={2} align="flex-start">
      {state === 'ending' ? (
        <>
          <Badge variant="light" color="yellow" tt="none">
            being replaced
          </Badge>
          <Text size="xs" c="dimmed">
            ends <RelativeTime at={expires_at} />
          </Text>
        </>
      ) : (
        <Badge variant="light" color="teal" tt="none">
          active
        </Badge>
      )}
      {seen_in_clear_at !== null && (
        <Tooltip label="It came over plain HTTP, where anybody on the way could read it.">
          <Badge
            variant="light"
            color="red"
            tt="none"
            tabIndex={0}
            leftSection={<IconAlertTriangle size={12} aria-hidden />}
          >
            seen in clear: rotate it
          </Badge>
        </Tooltip>
      )}
    </Stack>
  );
}

function Ended({ word, at }: { readonly word: string; readonly at: string | null }) {
  return (
    <Stack gap={2} align="flex-start">
      <Badge variant="light" color="gray" tt="none">
        {word}
      </Badge>
      <Text size="xs" c="dimmed">
        <RelativeTime at={at} />
      </Text>
    </Stack>
  );
}
