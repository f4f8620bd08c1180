import { Badge } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';

/** ALLOW or BLOCK: told by word, icon and colour. */
export function ActionBadge({ action }: { readonly action: string }) {
  const isBlock = action === 'BLOCK';
  const ActionIcon = isBlock ? IconCircleX : IconCircleCheck;
  return (
    <Badge
      miw="max-content"
      color={isBlock ? 'orange' : 'teal'}
      leftSection={<ActionIcon size={13} aria-hidden />}
    >
      {action}
    </Badge>
  );
}

const LEVEL_COLORS: Readonly<Record<string, string>> = {
  low: 'gray',
  medium: 'yellow',
  high: 'orange',
  critical: 'red',
};

/** The level of risk, as `decision.yaml` names it. */
export function LevelBadge({ level }: { readonly level: string }) {
  return (
    <Badge miw="max-content" color={LEVEL_COLORS[level] ?? 'gray'}>
      {level}
    </Badge>
  );
}
