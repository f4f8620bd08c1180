import { Alert, Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import {
  type ChangeOfVersion,
  type EffectOfVersion,
  isListChanged,
  type NamedEntry,
  type Published,
} from '../../api/lists.ts';
import { TextList } from '../../ui/text-list.tsx';
import { EffectDialog } from './effect-dialog.tsx';
import { EffectShown } from './effect-shown.tsx';
import { EntryDialog, type EntryKind } from './entry-dialog.tsx';
import { PublishedNotice } from './published-notice.tsx';

type Entry = Pick<NamedEntry, 'value' | 'reason' | 'owner' | 'expires'>;

/** An entry as the fields of its dialog began, and the list version that it was read from. */
interface Opened {
  readonly entry: Entry;
  readonly version: string;
  /** The service has refused `version`: the list is of another one by now. */
  readonly isRefused: boolean;
  /** The entry has changed since the dialog was opened. */
  readonly hasChanged: boolean;
}

interface Edited {
  readonly list: string;
  /** The list version of the `entries` shown. */
  readonly version: string;
  readonly entries: readonly Entry[];
  /** By default that of allow and deny. */
  readonly kind?: EntryKind;
  readonly isReady: boolean;
  readonly isHashed?: boolean;
  readonly effectOf: EffectOfVersion;
  readonly change: (change: ChangeOfVersion) => Promise<Published>;
  readonly afterRemoval: ReactNode;
}

/** Adds, changes and removes entries of a list. Returns a button, two actions for the rows, a notice and the dialogs to be placed. */
export function useEntryEditing(edited: Edited) {
  const { list, version, entries, kind, isReady, isHashed, effectOf, change, afterRemoval } = edited;
  const [published, setPublished] = useState<Published | null>(null);
  /** `new`, or the entry that is edited. */
  const [open, setOpen] = useState<'new' | Opened | null>(null);
  const [removed, setRemoved] = useState<string | null>(null);
  const opened = open === 'new' ? null : open;
  if (opened !== null && opened.version !== version) {
    const same = entries.find((entry) => contentOf(entry) === contentOf(opened.entry));
    const entry = same ?? entries.find(({ value }) => value === opened.entry.value);
    // An entry that has changed replaces what the person types only after a refusal. One that is not shown any more goes on being refused.
    if (entry && (same || opened.isRefused))
      setOpen({ entry, version, isRefused: false, hasChanged: opened.hasChanged || !same });
  }
  /** Sends the list version that the fields show: a later change, which they do not show, must not be overwritten. */
  const held = async <Answer,>(ask: (ofVersion: string) => Promise<Answer>) => {
    try {
      return await ask(opened?.version ?? version);
    } catch (error) {
      if (isListChanged(error))
        setOpen((now) => (now === null || now === 'new' ? now : { ...now, isRefused: true }));
      throw error;
    }
  };
  const removal = (value: string): ChangeOfVersion => ({ version, change: { kind: 'remove', value } });
  return {
    edit: (entry: Entry) => setOpen({ entry, version, isRefused: false, hasChanged: false }),
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
            // The key remounts it for an entry that has changed: its first step shows the entry as it is now.
            key={opened && contentOf(opened.entry)}
            list={list}
            effectOf={(wanted, signal) => held((version) => effectOf({ version, change: wanted }, signal))}
            {...(kind && { kind })}
            entry={opened?.entry ?? null}
            hasChanged={opened?.hasChanged === true}
            onClose={() => setOpen(null)}
            onSave={async (wanted) => {
              setPublished(await held((version) => change({ version, change: wanted })));
              setOpen(null);
            }}
          />
        )}
        {removed !== null && (
          <EffectDialog
            title={`Remove ${removed}?`}
            confirmLabel="Remove"
            deed="The entry was not removed"
            look={(signal) => effectOf(removal(removed), signal)}
            show={(effect) => <EffectShown effect={effect} />}
            onConfirm={async () => setPublished(await change(removal(removed)))}
            onClose={() => setRemoved(null)}
          >
            {afterRemoval}
          </EffectDialog>
        )}
      </>
    ),
  };
}

function contentOf({ value, reason, owner, expires }: Entry): string {
  return JSON.stringify([value, reason, owner, expires]);
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
      <TextList items={faults} mt={4} />
    </Alert>
  );
}
