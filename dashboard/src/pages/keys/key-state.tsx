import { Badge, Stack, Tooltip } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ApiKey } from '../../api/keys.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

const COLORS = { active: 'teal', ending: 'yellow', ended: 'gray', revoked: 'gray' } as const;

/** The state of the key in a word, with the time at which it ends or has ended, and a warning where it was seen in clear. */
export function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  const { state, expires_at, revoked_at, seen_in_clear_at } = apiKey;
  const isUsable = state === 'active' || state === 'ending';
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={COLORS[state]} miw="max-content">
        {state}
      </Badge>
      {state !== 'active' && (
        <Dimmed>
          <RelativeTime at={state === 'revoked' ? revoked_at : expires_at} />
        </Dimmed>
      )}
      {isUsable && seen_in_clear_at !== null && (
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
