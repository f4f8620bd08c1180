import { Button, TextInput, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { type Account, useCreateAccount } from '../../api/people.ts';
import { TextLink } from '../../ui/account-link.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FormDialog } from '../../ui/dialog-form.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { fieldsOf } from '../../ui/form-fields.ts';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

const COLUMNS: readonly Column<Account>[] = [
  { key: 'account', header: 'Account', render: ({ name }) => name },
  { key: 'made', header: 'Made', render: ({ created_at }) => <RelativeTime at={created_at} /> },
  {
    key: 'keys',
    header: 'Keys',
    align: 'end',
    render: ({ id, name }) => (
      <TextLink href={`/keys?account=${encodeURIComponent(id)}`}>
        Open
        <VisuallyHidden> the keys of {name}</VisuallyHidden>
      </TextLink>
    ),
  },
];

/** The accounts, and a button that makes one. */
export function AccountsPanel({ accounts }: { readonly accounts: readonly Account[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel
      title="Accounts"
      description="Each has keys, a quota, checks and members of its own, and sees nothing of the others."
      actions={
        <Button variant="default" onClick={() => setIsOpen(true)}>
          Make an account
        </Button>
      }
    >
      <DataTable caption="Accounts" columns={COLUMNS} rows={accounts} rowKey={({ id }) => id} empty={null} />
      {isOpen && <CreateDialog onClose={() => setIsOpen(false)} />}
    </Panel>
  );
}

function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useCreateAccount();
  const wrong = fieldErrors(create.error, ['name']);
  const submit = (form: HTMLFormElement) =>
    create.mutate(fieldsOf(form, ['name']).name, { onSuccess: onClose });
  return (
    <FormDialog
      title="Make an account"
      submitLabel="Make the account"
      change={create}
      hasFieldErrors={wrong !== null}
      deed="The account was not made"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label="Name"
        description="The customer, team or program that it is for. It begins without keys and members."
        error={wrong?.name}
        maxLength={100}
        required
        data-autofocus
      />
    </FormDialog>
  );
}
