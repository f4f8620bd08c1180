import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { useDiscardDraft } from './queries.ts';

interface Props {
  readonly draftId: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDiscarded: () => void;
}

export function DiscardDialog({ draftId, name, onClose, onDiscarded }: Props) {
  const discard = useDiscardDraft();
  const confirm = async () => {
    await discard.mutateAsync(draftId);
    onClose();
    onDiscarded();
  };
  return (
    <Modal opened onClose={onClose} title="Discard this draft?" centered>
      <Stack>
        <Text size="sm">“{name}” is gone then, for everybody. The rules in force stay as they are.</Text>
        {discard.error !== null && <ErrorNotice error={discard.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={discard.isPending} onClick={() => confirm().catch(() => undefined)}>
            Discard
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
