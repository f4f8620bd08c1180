import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { GivenEntry, ListEntry, OwnList } from '../../api/lists.ts';
import { useSession } from '../../api/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
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
  const save = useMutation({ mutationFn: onSave });
  const submit = (form: HTMLFormElement) => {
    const { value, reason, owner, expires } = fieldsOf(form, ['value', 'reason', 'owner', 'expires']);
    save.mutate({ value: value.trim(), reason, owner, ...(expires !== '' && { expires }) });
  };
  const title = entry === null ? `Add to ${name}` : `Change ${entry.value}`;
  return (
    <Dialog onClose={onClose} title={title} centered>
      <DialogForm
        submitLabel={entry === null ? 'Add' : 'Save'}
        isPending={save.isPending}
        error={save.error}
        onSubmit={submit}
        onCancel={onClose}
      >
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
          description="Why it is here, for the person who finds it in a year"
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
      </DialogForm>
    </Dialog>
  );
}
