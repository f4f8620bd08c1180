import { Group, Progress, Stack, Text } from '@mantine/core';
import { Panel } from '../../ui/panel.tsx';

/** Stands above figures that are not of all checks yet. */
export function CountingProgress({ share }: { readonly share: number }) {
  const percent = Math.floor(share * 100);
  return (
    <Panel title="Counting">
      <Stack gap="xs">
        <Group gap="sm" wrap="nowrap">
          <Progress value={percent} aria-label="Checks counted" flex={1} />
          <Text size="sm" fw={500}>{`${percent} %`}</Text>
        </Group>
        <Text size="sm" c="dimmed">
          Many checks of this time are counted for the first time. The figures below are of those counted so
          far; the counts are kept, so that the next look is quick.
        </Text>
      </Stack>
    </Panel>
  );
}
