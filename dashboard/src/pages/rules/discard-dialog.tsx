import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useDiscardDraft } from './queries.ts';

interface Props {
  readonly draftId: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDiscarded: () => void;
}

export function DiscardDialog({ draftId, name, onClose, onDiscarded }: Props) {
  const discard = useDiscardDraft();
  return (
    <ConfirmDialog
      title="Discard this draft?"
      confirmLabel="Discard"
      deed="The draft was not discarded"
      onConfirm={async () => {
        await discard.mutateAsync(draftId);
        onDiscarded();
      }}
      onClose={onClose}
    >
      “{name}” is then deleted, for all analysts. The rules in force stay as they are.
    </ConfirmDialog>
  );
}
