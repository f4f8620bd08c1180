import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ErrorNotice } from '../../ui/error-notice.tsx';
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
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    onSaved(await save.mutateAsync({ ...order, name: text.trim() }));
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title="Rename the draft" centered>
      <form onSubmit={(event) => submit(event).catch(() => undefined)}>
        <Stack>
          <TextInput
            label="What it is for"
            value={text}
            maxLength={80}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
          {save.error !== null && <ErrorNotice error={save.error} />}
          <Group justify="flex-end">
            <Button type="submit" disabled={text.trim() === ''} loading={save.isPending}>
              Rename
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
