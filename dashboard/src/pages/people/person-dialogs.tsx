import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type Person, useMakePasswordLink, useRemovePerson } from '../../api/people.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { LinkShown } from './link-shown.tsx';

interface Props {
  readonly person: Person;
  readonly onClose: () => void;
}

export function RemoveDialog({ person, onClose }: Props) {
  const remove = useRemovePerson();
  return (
    <Modal opened onClose={onClose} title={`Remove ${person.name}`}>
      <Stack>
        {remove.error !== null && <ErrorNotice error={remove.error} />}
        <Text size="sm">
          {person.email} is signed out everywhere and cannot sign in any more. What they did stays in the
          audit trail, and keys that they issued go on: revoke those that they may have kept.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red.9"
            loading={remove.isPending}
            onClick={() => remove.mutate(person.id, { onSuccess: onClose })}
          >
            Remove
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

export function PasswordLinkDialog({ person, onClose }: Props) {
  const make = useMakePasswordLink();
  return (
    <Modal
      opened
      onClose={onClose}
      title={`A new password for ${person.name}`}
      size="lg"
      closeOnClickOutside={false}
    >
      {make.isSuccess ? (
        <LinkShown
          link={make.data}
          purpose={`By this link ${person.email} chooses a new password.`}
          onDone={onClose}
        />
      ) : (
        <Stack>
          {make.error !== null && <ErrorNotice error={make.error} />}
          <Text size="sm">
            For whoever has forgotten theirs. The old password goes on until the link is used; then they are
            signed out everywhere else.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={make.isPending} onClick={() => make.mutate(person.id)}>
              Make the link
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
