import { ActionIcon, Indicator, Popover, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useAttention } from '../api/attention.ts';
import { FindingList } from '../ui/finding-list.tsx';

/** The findings that need attention, reachable from every page. */
export function AttentionBell() {
  const { data: findings = [] } = useAttention();
  const [isOpen, { toggle, close }] = useDisclosure();
  const isUrgent = findings.some(({ severity }) => severity === 'critical');
  const count = findings.length;
  return (
    <Popover
      opened={isOpen}
      onChange={close}
      position="bottom-end"
      shadow="md"
      width="min(26rem, 92vw)"
      trapFocus
    >
      <Indicator disabled={count === 0} color={isUrgent ? 'red.8' : 'yellow.8'} size={9} offset={7}>
        <Popover.Target>
          <ActionIcon size="lg" onClick={toggle} aria-label={nameOf(count)}>
            <IconBell size={20} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label="What wants attention">
        {count === 0 ? (
          <Text size="sm" tabIndex={-1} data-autofocus>
            Nothing wants your attention.
          </Text>
        ) : (
          <FindingList findings={findings} onLeave={close} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function nameOf(count: number): string {
  if (count === 0) return 'Attention: nothing';
  return count === 1 ? 'Attention: one thing' : `Attention: ${count} things`;
}
