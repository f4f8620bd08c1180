import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { GivenEntry, ListEntry, OwnList } from '../../api/lists.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fieldsOf } from '../../ui/form-fields.ts';

interface Props {
  readonly name: OwnList['list'];
  /** The one that is changed; null for a new one. */
  readonly entry: ListEntry | null;
  readonly onClose: () => void;
  /** The dialog stays until it is done, and shows why it could not be. */
  readonly onSave: (entry: GivenEntry) => Promise<unknown>;
}

export function EntryDialog({ name, entry, onClose, onSave }: Props) {
  const { person } = useSession();
  const [state, setState] = useState<{ readonly isPending: boolean; readonly error: unknown }>({
    isPending: false,
    error: null,
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { value, reason, owner, expires } = fieldsOf(event.currentTarget, [
      'value',
      'reason',
      'owner',
      'expires',
    ]);
    setState({ isPending: true, error: null });
    try {
      await onSave({ value: value.trim(), reason, owner, ...(expires !== '' && { expires }) });
    } catch (error) {
      setState({ isPending: false, error });
    }
  };
  const title = entry === null ? `Add to ${name}` : `Change ${entry.value}`;
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="value"
            label="Address or domain"
            description="jane@example.org, example.org, or .example.org for the domain and all below it"
            defaultValue={entry?.value}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            withAsterisk={false}
            data-autofocus
          />
          <TextInput
            name="reason"
            label="Reason"
            description="Whoever finds it here in a year wants to know"
            defaultValue={entry?.reason}
            required
            withAsterisk={false}
          />
          <TextInput
            name="owner"
            label="Owner"
            description="Who answers for it"
            defaultValue={entry?.owner ?? person.name}
            required
            withAsterisk={false}
          />
          <TextInput
            name="expires"
            type="date"
            label="Until"
            description="Holds to the end of that day, UTC. Without a day it holds for good."
            defaultValue={entry?.expires?.slice(0, 10)}
          />
          {state.error !== null && <ErrorNotice error={state.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={state.isPending}>
              {entry === null ? 'Add' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
