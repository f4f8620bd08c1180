import { Alert, Button, Paper, PasswordInput, Stack } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { useChangePassword, useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fieldsOf } from '../../ui/form-fields.ts';
import { NewPasswordInput } from '../../ui/new-password-input.tsx';
import { Page } from '../../ui/page.tsx';

export default function PasswordPage() {
  const { person } = useSession();
  const change = useChangePassword();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate(fieldsOf(event.currentTarget, ['current_password', 'new_password']));
  };
  return (
    <Page title="Your password" description={`You sign in as ${person.email}.`}>
      <Paper maw="26rem" p="lg">
        {change.isSuccess ? (
          <Alert role="status" color="teal" title="Changed" icon={<IconCircleCheck aria-hidden />}>
            The new password holds from now on. You were signed out everywhere else.
          </Alert>
        ) : (
          <form onSubmit={submit}>
            <Stack>
              {change.error !== null && <ErrorNotice error={change.error} />}
              {/* For password managers, which want to know whose it is. */}
              <input
                type="text"
                name="username"
                autoComplete="username"
                defaultValue={person.email}
                hidden
                readOnly
              />
              <PasswordInput
                name="current_password"
                label="Password until now"
                autoComplete="current-password"
                required
                withAsterisk={false}
              />
              <NewPasswordInput name="new_password" label="New password" />
              <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
                Change password
              </Button>
            </Stack>
          </form>
        )}
      </Paper>
    </Page>
  );
}
