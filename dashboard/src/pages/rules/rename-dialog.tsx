import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { type Draft, useSaveDraft } from './queries.ts';

interface Props {
  readonly draft: { readonly id: string; readonly revision: number };
  readonly name: string;
  readonly onClose: () => void;
  readonly onRenamed: (draft: Draft) => void;
}

export function RenameDialog({ draft, name, onClose, onRenamed }: Props) {
  const save = useSaveDraft();
  const [text, setText] = useState(name);
  const rename = async () => {
    onRenamed(await save.mutateAsync({ ...draft, base_digest: '', name: text.trim() }));
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
