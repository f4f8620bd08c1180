import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useSignIn } from '../../api/session.ts';
import { FrontDoor } from '../../shell/front-door.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fieldsOf } from '../../ui/form-fields.ts';

/** Where to go on to is the router's affair: it shows this page only while nobody is signed in. */
export function SignInPage() {
  const signIn = useSignIn();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    signIn.mutate(fieldsOf(event.currentTarget, ['email', 'password']));
  };
  return (
    <FrontDoor title="Sign in">
      <form onSubmit={submit}>
        <Stack>
          {signIn.error !== null && <ErrorNotice error={signIn.error} />}
          <TextInput
            name="email"
            type="email"
            label="Email"
            autoComplete="username"
            required
            withAsterisk={false}
            autoFocus
          />
          <PasswordInput
            name="password"
            label="Password"
            autoComplete="current-password"
            required
            withAsterisk={false}
          />
          <Button type="submit" loading={signIn.isPending} fullWidth mt="xs">
            Sign in
          </Button>
        </Stack>
      </form>
    </FrontDoor>
  );
}
