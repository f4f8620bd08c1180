import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Account, useInvite } from '../../api/people.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { fieldsOf } from '../../ui/form-fields.ts';
import { LinkDialog } from './link-dialog.tsx';
import { ACCOUNT_ROLES, OPERATOR_ROLES } from './role-text.ts';

interface Props {
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
}

/** Asks for the email and the role, then shows the link. */
export function InviteDialog({ accounts, onClose }: Props) {
  const invite = useInvite();
  const wrong = fieldErrors(invite.error, ['email']);
  const [role, setRole] = useState<string>('developer');
  const [accountId, setAccountId] = useState(accounts[0]?.id ?? null);
  const accountRole = ACCOUNT_ROLES.find(({ value }) => value === role)?.value;
  const submit = (form: HTMLFormElement) => {
    const { email } = fieldsOf(form, ['email']);
    invite.mutate({
      email: email.trim(),
      operator_role: OPERATOR_ROLES.find(({ value }) => value === role)?.value ?? null,
      membership: accountRole && accountId !== null ? { account_id: accountId, role: accountRole } : null,
    });
  };
  return (
    <LinkDialog
      title={invite.isSuccess ? 'The invitation' : 'Invite a person'}
      link={invite.data}
      purpose={`By this link ${invite.variables?.email} chooses a name and a password.`}
      onClose={onClose}
    >
      <DialogForm
        submitLabel="Make the link"
        change={invite}
        hasFieldErrors={wrong !== null}
        deed="The person was not invited"
        onSubmit={submit}
        onCancel={onClose}
      >
        <TextInput
          name="email"
          type="email"
          label="Email"
          description="What they will sign in with. Postern sends no mail."
          error={wrong?.email}
          required
          data-autofocus
        />
        <Radio.Group label="What they may do" value={role} onChange={setRole}>
          <Stack gap="xs" mt="xs">
            {[...ACCOUNT_ROLES, ...OPERATOR_ROLES].map((one) => (
              <Radio key={one.value} {...one} disabled={isOfAccount(one.value) && accounts.length === 0} />
            ))}
          </Stack>
        </Radio.Group>
        {accountRole !== undefined && accounts.length > 0 && (
          <Select
            label="Of which account"
            data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
            value={accountId}
            onChange={setAccountId}
            allowDeselect={false}
            searchable={accounts.length > 8}
          />
        )}
      </DialogForm>
    </LinkDialog>
  );
}

function isOfAccount(role: string): boolean {
  return ACCOUNT_ROLES.some(({ value }) => value === role);
}
