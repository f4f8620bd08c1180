import { Alert, Button, List, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { EffectOf, ListChange, NamedEntry, Published } from '../../api/lists.ts';
import { EffectDialog } from './effect-dialog.tsx';
import { EffectShown } from './effect-shown.tsx';
import { EntryDialog, type EntryKind } from './entry-dialog.tsx';
import { PublishedNotice } from './published-notice.tsx';

interface Edited {
  readonly list: string;
  /** Of allow and deny unless said. */
  readonly kind?: EntryKind;
  readonly isReady: boolean;
  readonly isHashed?: boolean;
  readonly effectOf: EffectOf;
  readonly change: (change: ListChange) => Promise<Published>;
  readonly afterRemoval: ReactNode;
}

/** By what the entries of a list are added, changed and removed: a button, two deeds of its rows, a notice and dialogs to be placed. */
export function useEntryEditing({ list, kind, isReady, isHashed, effectOf, change, afterRemoval }: Edited) {
  const [published, setPublished] = useState<Published | null>(null);
  /** `new`, or the entry that is edited. */
  const [open, setOpen] = useState<'new' | Pick<NamedEntry, 'value' | 'reason' | 'owner' | 'expires'> | null>(
    null,
  );
  const [removed, setRemoved] = useState<string | null>(null);
  return {
    edit: setOpen,
    remove: setRemoved,
    add: (
      <Button
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={!isReady}
        onClick={() => setOpen('new')}
      >
        Add an entry
      </Button>
    ),
    notice: published !== null && (
      <PublishedNotice
        published={published}
        {...(isHashed && { isHashed })}
        onClose={() => setPublished(null)}
      />
    ),
    dialogs: (
      <>
        {open !== null && (
          <EntryDialog
            list={list}
            effectOf={effectOf}
            {...(kind && { kind })}
            entry={open === 'new' ? null : open}
            onClose={() => setOpen(null)}
            onSave={async (wanted) => {
              setPublished(await change(wanted));
              setOpen(null);
            }}
          />
        )}
        {removed !== null && (
          <EffectDialog
            title={`Remove ${removed}?`}
            confirmLabel="Remove"
            deed="The entry was not removed"
            look={(signal) => effectOf({ kind: 'remove', value: removed }, signal)}
            show={(effect) => <EffectShown effect={effect} />}
            onConfirm={async () => setPublished(await change({ kind: 'remove', value: removed }))}
            onClose={() => setRemoved(null)}
          >
            {afterRemoval}
          </EffectDialog>
        )}
      </>
    ),
  };
}

/** In place of the entries of a file that cannot be edited as it is. */
export function FileMistakes({
  file,
  faults,
}: {
  readonly file: string;
  readonly faults: readonly string[];
}) {
  return (
    <Alert color="red" title={`${file} has mistakes`}>
      <Text size="sm">
        Fix them in the file, or on the page “Rules”. Until then the list that was in force before goes on.
      </Text>
      <List size="sm" mt={4}>
        {faults.map((fault) => (
          <List.Item key={fault} style={{ overflowWrap: 'anywhere' }}>
            {fault}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
