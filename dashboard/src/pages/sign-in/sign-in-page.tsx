import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useSignIn } from '../../api/session.ts';
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fieldsOf } from '../../ui/form-fields.ts';

/** Navigates nowhere itself: the router shows this page only without a session, and redirects then. */
export default function SignInPage() {
  const signIn = useSignIn();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    signIn.mutate(fieldsOf(event.currentTarget, ['email', 'password']));
  };
  return (
    <SignedOutLayout title="Sign in">
      <form onSubmit={submit}>
        <Stack>
          <ErrorNotice error={signIn.error} deed="You are not signed in" />
          <TextInput name="email" type="email" label="Email" autoComplete="username" required autoFocus />
          <PasswordInput name="password" label="Password" autoComplete="current-password" required />
          <Button type="submit" loading={signIn.isPending} fullWidth mt="xs">
            Sign in
          </Button>
        </Stack>
      </form>
    </SignedOutLayout>
  );
}
