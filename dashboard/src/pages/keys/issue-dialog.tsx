import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { type Limits, useIssueKey } from '../../api/keys.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fieldsOf } from '../../ui/form-fields.ts';
import { SecretShown } from './secret-shown.tsx';

interface Props {
  readonly accountId: string;
  readonly limits: Limits | undefined;
  readonly onClose: () => void;
}

/** Asks what the key is for, makes it, and shows its secret. */
export function IssueDialog({ accountId, limits, onClose }: Props) {
  const issue = useIssueKey(accountId);
  const isShown = issue.isSuccess;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name, environment } = fieldsOf(event.currentTarget, ['name', 'environment']);
    issue.mutate({ name, environment: environment === 'test' ? 'test' : 'live' });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={isShown ? 'Your new key' : 'Issue a key'}
      size="lg"
      // A secret that vanished by a stray key or click could not be brought back.
      closeOnEscape={!isShown}
      closeOnClickOutside={false}
      withCloseButton={!isShown}
    >
      {isShown ? (
        <SecretShown
          secret={issue.data.secret}
          hasOwnAuthority={limits?.own_authority ?? false}
          onDone={onClose}
        />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            {issue.error !== null && <ErrorNotice error={issue.error} />}
            <TextInput
              name="name"
              label="Name"
              description="Tells it from your other keys: the program that will use it."
              placeholder="web signup"
              maxLength={60}
              required
              withAsterisk={false}
              data-autofocus
            />
            <Radio.Group name="environment" label="Environment" defaultValue="live">
              <Stack gap="xs" mt="xs">
                <Radio
                  value="live"
                  label="Live"
                  description="Real decisions: each answered check counts towards the quota and is on record."
                />
                <Radio
                  value="test"
                  label="Test"
                  description="A fixed world for your own tests: no look-up leaves, no quota is used."
                />
              </Stack>
            </Radio.Group>
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={issue.isPending}>
                Issue the key
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
