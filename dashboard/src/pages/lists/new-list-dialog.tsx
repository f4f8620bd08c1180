import { Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { effectOfNewList, type NewNamedList } from '../../api/lists.ts';
import { useSession } from '../../api/session.ts';
import { fieldsOf } from '../../ui/form-fields.ts';
import { LookFirstDialog } from './look-first-dialog.tsx';
import { type NewListField, newListErrors } from './new-list-errors.ts';

interface Props {
  readonly onClose: () => void;
  /** The dialog stays open, and shows the error where this rejects; the caller closes it. */
  readonly onSave: (list: NewNamedList) => Promise<unknown>;
}

/** Makes a list with its first entries. */
export function NewListDialog({ onClose, onSave }: Props) {
  const { person } = useSession();
  const beginning: NewNamedList = {
    ...{ kind: 'yaml', name: '', description: '', owner: person.name, entries: [] },
  };
  return (
    <LookFirstDialog
      title="New list"
      beginning={beginning}
      read={readList}
      fields={(given, errors) => <Fields given={given} errors={errors} />}
      errorsOf={newListErrors}
      nameOf={({ name }) => name}
      look={effectOfNewList}
      confirmLabel={({ name }) => `Make ${name}`}
      deed="The list was not made"
      note="No rule looks into it yet: until one does, no decision is another."
      onSave={onSave}
      onClose={onClose}
    />
  );
}

function readList(form: HTMLFormElement): NewNamedList {
  const { name, kind, description, owner, entries } = fieldsOf(form, [
    ...(['name', 'kind', 'description', 'owner', 'entries'] as const),
  ]);
  const lines = entries.split('\n').map((line) => line.trim());
  const list = { name: name.trim(), entries: lines.filter((line) => line !== '') };
  return kind === 'txt' ? { kind, ...list } : { kind: 'yaml', ...list, description, owner };
}

interface FieldsProps {
  readonly given: NewNamedList;
  readonly errors: Partial<Record<NewListField, string>>;
}

function Fields({ given, errors }: FieldsProps) {
  const { person } = useSession();
  const [kind, setKind] = useState<string>(given.kind);
  return (
    <>
      <TextInput
        name="name"
        label="Name"
        description="What rules call it by: partners. Of a-z, 0-9 and _"
        defaultValue={given.name}
        error={errors.name}
        pattern="[a-z0-9_]+"
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        data-autofocus
      />
      <Radio.Group name="kind" label="Kind" value={kind} onChange={setKind}>
        <Stack gap="xs" mt={4}>
          <Radio
            value="yaml"
            label="With owners and days"
            description="A .yaml file: each entry may have an owner, a reason and a last day; 10,000 at most"
          />
          <Radio
            value="txt"
            label="Domains alone"
            description="A .txt file: a domain on each line, and a reason as a comment; 200,000 at most"
          />
        </Stack>
      </Radio.Group>
      {kind === 'yaml' && (
        <>
          <TextInput
            name="description"
            label="What stands in it"
            defaultValue={given.description}
            error={errors.description}
            maxLength={500}
            required
          />
          <TextInput
            name="owner"
            label="Owner"
            description="Who answers for it"
            defaultValue={given.owner ?? person.name}
            error={errors.owner}
            maxLength={100}
            required
          />
        </>
      )}
      <Textarea
        name="entries"
        label="First entries"
        description="A domain on each line: example.org, or .example.org for the domain and all below it. They can come later"
        defaultValue={given.entries.join('\n')}
        error={errors.entries}
        rows={6}
        spellCheck={false}
        autoCapitalize="none"
      />
    </>
  );
}
