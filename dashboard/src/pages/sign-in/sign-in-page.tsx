import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useSessionQuery, useSignIn } from '../../api/session.ts';
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fieldsOf } from '../../ui/form-fields.ts';

/** Navigates nowhere itself: the router shows this page only without a session or in the place of one that has ended. */
export default function SignInPage() {
  const { data: session } = useSessionQuery();
  const signIn = useSignIn();
  const description = session?.hasEnded
    ? 'Your session has ended. Sign in, and the page is as you left it.'
    : undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    signIn.mutate(fieldsOf(event.currentTarget, ['email', 'password']));
  };
  return (
    <SignedOutLayout title="Sign in" description={description}>
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
