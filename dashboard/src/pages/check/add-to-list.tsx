import { Button, Menu, Skeleton } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../../account-in-view.ts';
import type { WholeCheck } from '../../api/checks.ts';
import { type OwnList, type Published, useChangeList, useEffectOfChange, useLists } from '../../api/lists.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { EntryDialog } from '../lists/entry-dialog.tsx';

interface Props {
  readonly check: WholeCheck;
  /** Called with the outcome. */
  readonly onDone: (published: Published) => void;
}

/** For analysts and owners: adds the address of the check, or its domain, to allow or deny. */
export function AddToList({ check, onDone }: Props) {
  const isAnalyst = useMay({ operator: 'analyst' });
  const [list, setList] = useState<OwnList['list'] | null>(null);
  const value = check.address ?? check.domain;
  if (value === null || !isAnalyst) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconListCheck size={14} aria-hidden />}>
            Add to a list
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setList('allow')}>Allow…</Menu.Item>
          <Menu.Item onClick={() => setList('deny')}>Deny…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {list !== null && (
        <ListEntryDialog name={list} value={value} onDone={onDone} onClose={() => setList(null)} />
      )}
    </>
  );
}

interface DialogProps {
  readonly name: OwnList['list'];
  readonly value: string;
  readonly onDone: (published: Published) => void;
  readonly onClose: () => void;
}

function ListEntryDialog({ name, value, onDone, onClose }: DialogProps) {
  const { data, error, refetch } = useLists();
  const found = data?.own.find(({ list }) => list === name);
  const change = useChangeList(name);
  const effectOf = useEffectOfChange(name);
  if (found === undefined) {
    return (
      <Dialog onClose={onClose} title={`Add to ${name}`} size="lg" centered>
        {error === null ? (
          <Skeleton h={200} role="status" aria-label="Loading the list" />
        ) : (
          <ErrorNotice error={error} deed="The lists cannot be read" onRetry={() => refetch()} />
        )}
      </Dialog>
    );
  }
  const { version } = found;
  return (
    <EntryDialog
      list={name}
      effectOf={(wanted, signal) => effectOf({ version, change: wanted }, signal)}
      entry={null}
      value={value}
      onClose={onClose}
      onSave={async (wanted) => {
        onDone(await change.mutateAsync({ version, change: wanted }));
        onClose();
      }}
    />
  );
}
