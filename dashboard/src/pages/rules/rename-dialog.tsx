import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { type Draft, type SaveOrder, useSaveDraft } from './queries.ts';

interface Props {
  readonly order: SaveOrder;
  readonly name: string;
  readonly onClose: () => void;
  readonly onSaved: (draft: Draft) => void;
}

export function RenameDialog({ order, name, onClose, onSaved }: Props) {
  const save = useSaveDraft();
  const [text, setText] = useState(name);
  const rename = async () => {
    onSaved(await save.mutateAsync({ ...order, name: text.trim() }));
    onClose();
  };
  return (
    <Dialog onClose={onClose} title="Rename the draft" centered>
      <DialogForm
        submitLabel="Rename"
        isDisabled={text.trim() === ''}
        isPending={save.isPending}
        error={save.error}
        onSubmit={() => rename().catch(() => undefined)}
        onCancel={onClose}
      >
        <TextInput
          label="What it is for"
          value={text}
          maxLength={80}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
      </DialogForm>
    </Dialog>
  );
}
