import { Button, Group, Modal, Stack, Text } from '@mantine/core';

interface Props {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Before what was typed and not saved goes. */
export function LeaveDialog({ onStay, onLeave }: Props) {
  return (
    <Modal opened onClose={onStay} title="Leave unsaved changes?" centered>
      <Stack>
        <Text size="sm">
          What you have changed here is not saved. Save it as a draft first, or it is gone.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onStay} data-autofocus>
            Stay
          </Button>
          <Button color="red" onClick={onLeave}>
            Leave it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
