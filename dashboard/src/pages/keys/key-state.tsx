import { Badge, Stack, Tooltip } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ApiKey } from '../../api/keys.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** The state of the key in a word, and a warning where it was seen in clear. */
export function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  const { state, expires_at, revoked_at, seen_in_clear_at } = apiKey;
  if (state === 'revoked') return <Ended word="revoked" at={revoked_at} />;
  if (state === 'ended') return <Ended word="ended" at={expires_at} />;
  return (
    <Stack gap={2} align="flex-start">
      {state === 'ending' ? (
        <>
          <Word color="yellow">ending</Word>
          <Dimmed>
            <RelativeTime at={expires_at} />
          </Dimmed>
        </>
      ) : (
        <Word color="teal">active</Word>
      )}
      {seen_in_clear_at !== null && (
        <Tooltip label="It came over plain HTTP, where it could be read on the way: rotate it.">
          <Badge
            color="red"
            miw="max-content"
            tabIndex={0}
            leftSection={<IconAlertTriangle size={12} aria-hidden />}
          >
            seen in clear
          </Badge>
        </Tooltip>
      )}
    </Stack>
  );
}

function Ended({ word, at }: { readonly word: string; readonly at: string | null }) {
  return (
    <Stack gap={2} align="flex-start">
      <Word color="gray">{word}</Word>
      <Dimmed>
        <RelativeTime at={at} />
      </Dimmed>
    </Stack>
  );
}

function Word({ color, children }: { readonly color: string; readonly children: string }) {
  return (
    <Badge color={color} miw="max-content">
      {children}
    </Badge>
  );
}
