import { SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { type Account, type Membership, type Person, useSetRoles } from '../../api/people.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { ACCOUNT_ROLES, OPERATOR_ROLES } from './role-text.ts';

interface Props {
  readonly person: Person;
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
}

const NONE = 'none';

/** Everything that a person may do, in one place. */
export function RolesDialog({ person, accounts, onClose }: Props) {
  const change = useSetRoles();
  const [operatorRole, setOperatorRole] = useState<string>(person.operator_role ?? NONE);
  const [memberships, setMemberships] = useState<readonly Membership[]>(person.memberships);
  const save = () =>
    change.mutate(
      {
        id: person.id,
        roles: {
          operator_role: OPERATOR_ROLES.find(({ value }) => value === operatorRole)?.value ?? null,
          memberships: [...memberships],
        },
      },
      { onSuccess: onClose },
    );
  return (
    <Dialog onClose={onClose} title={`What ${person.name} may do`} size="lg">
      <DialogForm
        submitLabel="Save"
        isPending={change.isPending}
        error={change.error}
        deed="The roles were not changed"
        onSubmit={save}
        onCancel={onClose}
      >
        <Choice
          label="Of this Postern"
          description="Owners may do everything; analysts change rules and lists, and look into every account."
          choices={OPERATOR_ROLES}
          value={operatorRole}
          onChange={setOperatorRole}
        />
        {accounts.map(({ id, name }) => (
          <Choice
            key={id}
            label={`Of ${name}`}
            choices={ACCOUNT_ROLES}
            value={memberships.find(({ account_id }) => account_id === id)?.role ?? NONE}
            onChange={(value) => {
              const role = ACCOUNT_ROLES.find((one) => one.value === value)?.value;
              const others = memberships.filter(({ account_id }) => account_id !== id);
              setMemberships(role ? [...others, { account_id: id, role }] : others);
            }}
          />
        ))}
        <Text size="sm" c="dimmed">
          It holds from their next request on.
        </Text>
      </DialogForm>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly description?: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Choice({ label, description, choices, value, onChange }: ChoiceProps) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {description !== undefined && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
      <SegmentedControl
        mt={4}
        aria-label={label}
        data={[
          { value: NONE, label: 'Nothing' },
          ...choices.map((one) => ({ value: one.value, label: one.label })),
        ]}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}
