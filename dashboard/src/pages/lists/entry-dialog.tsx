import { Alert, TextInput } from '@mantine/core';
import type { EffectOf, GivenEntry, ListChange, NamedEntry } from '../../api/lists.ts';
import { useSession } from '../../api/session.ts';
import { fieldsOf } from '../../ui/form-fields.ts';
import { entryErrors, OWN_FORMS } from './entry-errors.ts';
import { LookFirstDialog } from './look-first-dialog.tsx';

/** How the entries of a list are written, and which members they have. */
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
  /** By default that of allow and deny. */
  readonly kind?: EntryKind;
  /** The one that is changed; null for a new one. */
  readonly entry: Pick<NamedEntry, 'value' | 'reason' | 'owner' | 'expires'> | null;
  /** The entry has changed since the dialog was opened, and the person's change was refused. */
  readonly hasChanged?: boolean;
  /** The value that a new one begins with. */
  readonly value?: string | undefined;
  readonly onClose: () => void;
  /** The dialog stays open, and shows the error where this rejects; the caller closes it. */
  readonly onSave: (change: ListChange) => Promise<unknown>;
}

/** Adds an entry, or changes one. */
export function EntryDialog(props: Props) {
  const { list, effectOf, kind = OF_OWN_LIST, entry, hasChanged = false, value, onClose, onSave } = props;
  const isNew = entry === null;
  const changeTo = (next: GivenEntry): ListChange =>
    isNew ? { kind: 'add', entry: next } : { kind: 'replace', value: entry.value, entry: next };
  return (
    <LookFirstDialog
      title={isNew ? `Add to ${list}` : `Change ${entry.value}`}
      beginning={beginningOf(entry, value)}
      read={readEntry}
      fields={(given, errors) => (
        <>
          {hasChanged && (
            <Alert role="alert" color="red" title="The entry was not changed">
              Another person has changed it in the meantime. This is what it says now: make your change anew.
            </Alert>
          )}
          <EntryFields kind={kind} given={given} errors={errors} />
        </>
      )}
      errorsOf={(error) => entryErrors(error, kind.forms)}
      nameOf={(given) => given.value}
      look={(given) => effectOf(changeTo(given))}
      confirmLabel={() => (isNew ? `Add to ${list}` : 'Save')}
      deed={isNew ? 'The entry was not added' : 'The entry was not changed'}
      onSave={(given) => onSave(changeTo(given))}
      onClose={onClose}
    />
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
        data-autofocus
      />
      <TextInput
        name="reason"
        label="Reason"
        description="Why it is here, for the person who finds it in a year"
        defaultValue={given.reason}
        error={errors.reason}
        required={kind.isExplained}
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
