import { Group, Progress, Stack, Text } from '@mantine/core';
import { Dimmed } from './dimmed.tsx';
import { Panel } from './panel.tsx';

/** Shown above figures that do not cover all checks yet. */
export function CountingProgress({ share }: { readonly share: number }) {
  const percent = Math.floor(share * 100);
  return (
    <Panel title="Counting">
      <Stack gap="xs">
        <Group gap="sm" wrap="nowrap">
          <Progress value={percent} aria-label="Checks counted" flex={1} />
          <Text size="sm" fw={500}>{`${percent} %`}</Text>
        </Group>
        <Dimmed size="sm">
          Hours of this time are being counted, the newest first. Figures are of those counted so far.
        </Dimmed>
      </Stack>
    </Panel>
  );
}
