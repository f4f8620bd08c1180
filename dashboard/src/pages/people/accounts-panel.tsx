import { Anchor, Button, Table, TextInput, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { type Account, useCreateAccount } from '../../api/people.ts';
import { AccountLink } from '../../ui/account-link.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { fieldsOf } from '../../ui/form-fields.ts';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** Who holds keys. */
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
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Account</Table.Th>
            <Table.Th scope="col">Made</Table.Th>
            <Table.Th scope="col" ta="right">
              Keys
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {accounts.map(({ id, name, created_at }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" fw={500}>
                {name}
              </Table.Th>
              <Table.Td>
                <RelativeTime at={created_at} />
              </Table.Td>
              <Table.Td ta="right">
                <Anchor component={AccountLink} href={`/keys?account=${encodeURIComponent(id)}`} size="sm">
                  Open
                  <VisuallyHidden> the keys of {name}</VisuallyHidden>
                </Anchor>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
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
    <Dialog onClose={onClose} title="Make an account">
      <DialogForm
        submitLabel="Make the account"
        isPending={create.isPending}
        error={wrong === null ? create.error : null}
        deed="The account was not made"
        onSubmit={submit}
        onCancel={onClose}
      >
        <TextInput
          name="name"
          label="Name"
          description="The customer, team or program that it is for. It begins without keys and members."
          error={wrong?.name}
          maxLength={100}
          required
          withAsterisk={false}
          data-autofocus
        />
      </DialogForm>
    </Dialog>
  );
}
