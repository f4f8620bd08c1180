import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { EffectOf, GivenEntry, ListChange, NamedEntry } from '../../api/lists.ts';
import { useSession } from '../../api/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fieldsOf } from '../../ui/form-fields.ts';
import { EffectShown } from './effect-shown.tsx';
import { entryErrors, OWN_FORMS } from './entry-errors.ts';

/** What the entries of a list say. */
export interface EntryKind {
  /** How a value is written. */
  readonly label: string;
  readonly description: string;
  readonly forms: string;
  readonly isExplained: boolean;
  readonly hasOwnerAndDay: boolean;
}

const OF_OWN_LIST: EntryKind = {
  label: 'Address or domain',
  description: 'jane@example.org, example.org, or .example.org for the domain and all below it',
  forms: OWN_FORMS,
  isExplained: true,
  hasOwnerAndDay: true,
};

interface Props {
  readonly list: string;
  readonly effectOf: EffectOf;
  /** Of allow and deny unless said. */
  readonly kind?: EntryKind;
  /** The one that is changed; null for a new one. */
  readonly entry: Pick<NamedEntry, 'value' | 'reason' | 'owner' | 'expires'> | null;
  /** What a new one begins as. */
  readonly value?: string | undefined;
  readonly onClose: () => void;
  /** The dialog stays until it is done, and shows why it could not be. */
  readonly onSave: (change: ListChange) => Promise<unknown>;
}

/** First the entry, then what it would do, then it is in force. */
export function EntryDialog(props: Props) {
  const { list, effectOf, kind = OF_OWN_LIST, entry, value, onClose, onSave } = props;
  const isNew = entry === null;
  const [given, setGiven] = useState<GivenEntry>(() => beginningOf(entry, value));
  const look = useMutation({ mutationFn: (change: ListChange) => effectOf(change) });
  const save = useMutation({ mutationFn: onSave });
  const title = isNew ? `Add to ${list}` : `Change ${entry.value}`;
  const deed = isNew ? 'The entry was not added' : 'The entry was not changed';
  const changeTo = (next: GivenEntry): ListChange =>
    isNew ? { kind: 'add', entry: next } : { kind: 'replace', value: entry.value, entry: next };

  const errors = entryErrors(look.error, kind.forms);
  if (look.data || (look.error !== null && errors === null)) {
    return (
      <Dialog onClose={onClose} title={`${title}: ${given.value}`} size="lg" centered>
        <DialogForm
          submitLabel={isNew ? `Add to ${list}` : 'Save'}
          cancelLabel="Back"
          isPending={save.isPending}
          error={save.error}
          deed={deed}
          onSubmit={() => save.mutate(changeTo(given))}
          onCancel={() => {
            save.reset();
            look.reset();
          }}
        >
          {look.data ? (
            <EffectShown effect={look.data} />
          ) : (
            <ErrorNotice
              error={look.error}
              deed="What it would do cannot be told now"
              onRetry={() => look.mutate(changeTo(given))}
            />
          )}
        </DialogForm>
      </Dialog>
    );
  }
  return (
    <Dialog onClose={onClose} title={title} size="lg" centered>
      <DialogForm
        submitLabel="See what it does"
        isPending={look.isPending}
        onSubmit={(form) => {
          const next = readEntry(form);
          setGiven(next);
          look.mutate(changeTo(next));
        }}
        onCancel={onClose}
      >
        <EntryFields kind={kind} given={given} errors={errors ?? {}} />
      </DialogForm>
    </Dialog>
  );
}

function beginningOf(entry: Props['entry'], value = ''): GivenEntry {
  const {
    value: written,
    reason,
    owner,
    expires,
  } = entry ?? { value, reason: null, owner: null, expires: null };
  return given(written, reason ?? '', owner ?? '', expires?.slice(0, 10) ?? '');
}

function readEntry(form: HTMLFormElement): GivenEntry {
  const { value, reason, owner = '', expires = '' } = fieldsOf(form, ['value', 'reason', 'owner', 'expires']);
  return given(value.trim(), reason, owner, expires);
}

function given(value: string, reason: string, owner: string, expires: string): GivenEntry {
  return {
    value,
    ...(reason !== '' && { reason }),
    ...(owner !== '' && { owner }),
    ...(expires !== '' && { expires }),
  };
}

interface FieldsProps {
  readonly kind: EntryKind;
  readonly given: GivenEntry;
  readonly errors: NonNullable<ReturnType<typeof entryErrors>>;
}

function EntryFields({ kind, given, errors }: FieldsProps) {
  const { person } = useSession();
  return (
    <>
      <TextInput
        name="value"
        label={kind.label}
        description={kind.description}
        defaultValue={given.value}
        error={errors.value}
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
        defaultValue={given.reason}
        error={errors.reason}
        required={kind.isExplained}
        withAsterisk={false}
      />
      {kind.hasOwnerAndDay && (
        <>
          <TextInput
            name="owner"
            label="Owner"
            description={
              kind.isExplained
                ? 'Who answers for it'
                : 'Who answers for it, where that is not the owner of the list'
            }
            defaultValue={given.owner ?? (kind.isExplained ? person.name : '')}
            error={errors.owner}
            required={kind.isExplained}
            withAsterisk={false}
          />
          <TextInput
            name="expires"
            type="date"
            label="Until"
            description="Holds to the end of that day, UTC. Without a day it holds for good."
            defaultValue={given.expires}
            error={errors.expires}
          />
        </>
      )}
    </>
  );
}
