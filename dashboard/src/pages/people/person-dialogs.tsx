import { Text } from '@mantine/core';
import { type Person, useMakePasswordLink, useRemovePerson } from '../../api/people.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { LinkDialog } from './link-dialog.tsx';

interface Props {
  readonly person: Person;
  readonly onClose: () => void;
}

export function RemoveDialog({ person, onClose }: Props) {
  const remove = useRemovePerson();
  return (
    <ConfirmDialog
      title={`Remove ${person.name}`}
      confirmLabel="Remove"
      deed={`${person.name} was not removed`}
      onConfirm={() => remove.mutateAsync(person.id)}
      onClose={onClose}
    >
      {person.email} is signed out everywhere and cannot sign in any more. What they did stays in the audit
      trail, and keys that they issued go on: revoke those that they may have kept.
    </ConfirmDialog>
  );
}

export function PasswordLinkDialog({ person, onClose }: Props) {
  const make = useMakePasswordLink();
  return (
    <LinkDialog
      title={`A new password for ${person.name}`}
      link={make.data}
      purpose={`By this link ${person.email} chooses a new password.`}
      onClose={onClose}
    >
      <DialogForm
        submitLabel="Make the link"
        change={make}
        deed="The link was not made"
        onSubmit={() => make.mutate(person.id)}
        onCancel={onClose}
      >
        <Text size="sm">
          For a person who has forgotten theirs. The old password works until the link is used; then they are
          signed out everywhere else.
        </Text>
      </DialogForm>
    </LinkDialog>
  );
}
