import { Radio, Stack, TextInput } from '@mantine/core';
import { useIssueKey } from '../../api/keys.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { fieldsOf } from '../../ui/form-fields.ts';
import { SecretDialog } from './secret-dialog.tsx';

interface Props {
  readonly accountId: string;
  readonly onClose: () => void;
}

/** Asks what the key is for, makes it, and shows its secret. */
export function IssueDialog({ accountId, onClose }: Props) {
  const issue = useIssueKey(accountId);
  const wrong = fieldErrors(issue.error, ['name']);
  const submit = (form: HTMLFormElement) => {
    const { name, environment } = fieldsOf(form, ['name', 'environment']);
    issue.mutate({ name, environment: environment === 'test' ? 'test' : 'live' });
  };
  return (
    <SecretDialog
      title="Issue a key"
      titleOfSecret="Your new key"
      secret={issue.data?.secret}
      onClose={onClose}
    >
      <DialogForm
        submitLabel="Issue the key"
        change={issue}
        hasFieldErrors={wrong !== null}
        deed="The key was not issued"
        onSubmit={submit}
        onCancel={onClose}
      >
        <TextInput
          name="name"
          label="Name"
          description="Tells it from your other keys: the program that will use it."
          placeholder="web signup"
          error={wrong?.name}
          maxLength={60}
          required
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
      </DialogForm>
    </SecretDialog>
  );
}
