import { SegmentedControl, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { hasCode } from '../../api/api-error.ts';
import { type Account, type Person, type Roles, usePeople, useSetRoles } from '../../api/people.ts';
import { FormDialog } from '../../ui/dialog-form.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ACCOUNT_ROLES, OPERATOR_ROLES } from './role-text.ts';

interface Props {
  readonly person: Person;
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
}

const NONE = 'none';
/** Accounts listed at once, where there may be thousands; a search finds the others. */
const ACCOUNTS_SHOWN = 50;

/** Everything that a person may do, in one place. */
export function RolesDialog({ person, accounts, onClose }: Props) {
  const change = useSetRoles();
  const people = usePeople();
  /** The roles that the change starts from: the service refuses it where another owner has changed the person's roles meanwhile. */
  const [was, setWas] = useState(rolesOf(person));
  const [{ operator_role, memberships }, setRoles] = useState(was);
  const shown = new Set([...was.memberships, ...memberships].map(({ account_id }) => account_id));
  const others = accounts.filter(({ id }) => !shown.has(id));
  const setMembership = (account_id: string, value: string) => {
    const role = ACCOUNT_ROLES.find((one) => one.value === value)?.value;
    const kept = memberships.filter((one) => one.account_id !== account_id);
    setRoles({ operator_role, memberships: role ? [...kept, { account_id, role }] : kept });
  };
  const showAnew = async () => {
    const now = (await people.refetch()).data?.find(({ id }) => id === person.id);
    if (now === undefined) return;
    setWas(rolesOf(now));
    setRoles(rolesOf(now));
  };
  const save = () =>
    change.mutate(
      { id: person.id, roles: { operator_role, memberships }, was },
      {
        onSuccess: onClose,
        onError: (error) => {
          if (hasCode(error, 'roles_changed')) void showAnew();
        },
      },
    );
  return (
    <FormDialog
      title={`What ${person.name} may do`}
      size="lg"
      submitLabel="Save"
      change={change}
      deed="The roles were not changed"
      onSubmit={save}
      onClose={onClose}
    >
      <Choice
        label="Of this Postern"
        description="Owners may do everything; analysts change rules and lists, and look into every account."
        choices={OPERATOR_ROLES}
        value={operator_role ?? NONE}
        onChange={(value) => {
          const role = OPERATOR_ROLES.find((one) => one.value === value)?.value ?? null;
          setRoles({ operator_role: role, memberships });
        }}
      />
      {[...shown].map((id) => (
        <Choice
          key={id}
          label={`Of ${accounts.find((account) => account.id === id)?.name ?? id}`}
          choices={ACCOUNT_ROLES}
          value={memberships.find(({ account_id }) => account_id === id)?.role ?? NONE}
          onChange={(value) => setMembership(id, value)}
        />
      ))}
      {others.length > 0 && (
        <Select
          // The key empties the field once an account is added.
          key={shown.size}
          label="Add an account"
          description="As a viewer to begin with."
          placeholder="Its name"
          data={others.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => id !== null && setMembership(id, 'viewer')}
          limit={ACCOUNTS_SHOWN}
          searchable
        />
      )}
      <Dimmed size="sm">It holds from their next request on.</Dimmed>
    </FormDialog>
  );
}

function rolesOf({ operator_role, memberships }: Person): Roles {
  return { operator_role, memberships };
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
      {description !== undefined && <Dimmed>{description}</Dimmed>}
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
