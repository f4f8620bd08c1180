import { Text } from '@mantine/core';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';

interface Props {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Before what was typed and not saved goes. */
export function LeaveDialog({ onStay, onLeave }: Props) {
  return (
    <Dialog onClose={onStay} title="Leave unsaved changes?" centered>
      <DialogForm submitLabel="Leave it" cancelLabel="Stay" isDangerous onSubmit={onLeave} onCancel={onStay}>
        <Text size="sm">
          What you have changed here is not saved. Save it as a draft first, or it is gone.
        </Text>
      </DialogForm>
    </Dialog>
  );
}
