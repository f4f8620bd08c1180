import { Alert, Button, Paper, PasswordInput, Stack } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { hasCode } from '../../api/api-error.ts';
import { useChangePassword, useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { fieldsOf } from '../../ui/form-fields.ts';
import { NewPasswordInput } from '../../ui/new-password-input.tsx';
import { Page } from '../../ui/page.tsx';

export default function PasswordPage() {
  const { person } = useSession();
  const change = useChangePassword();
  const wrong = fieldErrors(change.error, ['new_password']);
  const isWrongCurrent = hasCode(change.error, 'wrong_credentials');
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
              {wrong === null && !isWrongCurrent && (
                <ErrorNotice error={change.error} deed="The password was not changed" />
              )}
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
                label="Current password"
                error={isWrongCurrent && 'This is not your current password'}
                autoComplete="current-password"
                required
              />
              <NewPasswordInput name="new_password" label="New password" error={wrong?.new_password} />
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
