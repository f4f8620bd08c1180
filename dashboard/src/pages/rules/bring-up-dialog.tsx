import { Group, Radio, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useBringUp } from './queries.ts';
import { ofDraft, type Workspace } from './workspace.ts';

interface Props {
  readonly workspace: Workspace;
  readonly onClose: () => void;
  readonly onLoad: (workspace: Workspace) => void;
}

/** Brings what has come in force since into a draft; where both have changed the same lines, a person chooses. */
export function BringUpDialog({ workspace: { draftId, revision }, onClose, onLoad }: Props) {
  const bringUp = useBringUp();
  const [chosen, setChosen] = useState<Record<string, 'mine' | 'theirs'>>({});
  const conflicts = bringUp.data?.conflicts ?? [];
  const go = async () => {
    if (draftId === null) return;
    const { draft } = await bringUp.mutateAsync({ id: draftId, revision, chosen });
    if (draft === null) return;
    onLoad(ofDraft(draft));
    onClose();
  };
  return (
    <Dialog onClose={onClose} title="Bring the draft up to date" centered>
      <DialogForm
        submitLabel="Bring up to date"
        isPending={bringUp.isPending}
        isDisabled={conflicts.some((file) => chosen[file] === undefined)}
        error={bringUp.error}
        onSubmit={() => go().catch(() => undefined)}
        onCancel={onClose}
      >
        <Text size="sm">
          Other rules have come in force since this draft was begun. Their changes are taken into it; yours
          stay.
        </Text>
        {conflicts.map((file) => (
          <Radio.Group
            key={file}
            label={`${file}: both have changed the same lines`}
            value={chosen[file] ?? ''}
            onChange={(side) => setChosen({ ...chosen, [file]: side === 'mine' ? 'mine' : 'theirs' })}
          >
            <Group mt="xs">
              <Radio value="mine" label="This draft's file" />
              <Radio value="theirs" label="The one in force" />
            </Group>
          </Radio.Group>
        ))}
      </DialogForm>
    </Dialog>
  );
}
