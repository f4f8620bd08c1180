import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { hasCode } from '../../api/api-error.ts';
import { FormDialog } from '../../ui/dialog-form.tsx';
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
  const isTaken = hasCode(save.error, 'name_taken');
  const rename = async () => {
    onRenamed(await save.mutateAsync({ ...draft, base_digest: '', name: text.trim() }));
    onClose();
  };
  return (
    <FormDialog
      title="Rename the draft"
      centered
      submitLabel="Rename"
      deed="The draft was not renamed"
      isDisabled={text.trim() === ''}
      change={save}
      hasFieldErrors={isTaken}
      onSubmit={() => rename().catch(() => undefined)}
      onClose={onClose}
    >
      <TextInput
        label="What it is for"
        value={text}
        maxLength={80}
        error={isTaken && 'Another draft has this name. Choose one that tells them apart.'}
        onChange={(event) => {
          setText(event.currentTarget.value);
          save.reset();
        }}
        data-autofocus
      />
    </FormDialog>
  );
}
