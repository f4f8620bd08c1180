import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useSetUp } from '../../api/session.ts';
import { FrontDoor } from '../../shell/front-door.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fieldsOf } from '../../ui/form-fields.ts';
import { NewPasswordInput } from '../../ui/new-password-input.tsx';

/** Redeems a one-time link: the first person's at the first start, and everyone else's invitation. */
export function SetupPage() {
  // The token stands in the fragment, which a browser sends to nobody. It is read once.
  const [token] = useState(() => location.hash.slice(1));
  return token === '' ? <LinkIsMissing /> : <SetupForm token={token} />;
}

function SetupForm({ token }: { readonly token: string }) {
  const setUp = useSetUp();
  const [, navigate] = useLocation();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = fieldsOf(event.currentTarget, ['name', 'email', 'password']);
    setUp.mutate({ token, ...fields }, { onSuccess: () => navigate('/', { replace: true }) });
  };
  return (
    <FrontDoor
      title="Welcome to Postern"
      description="Your link works once. Choose how you sign in from now on."
    >
      <form onSubmit={submit}>
        <Stack>
          {setUp.error !== null && <ErrorNotice error={setUp.error} />}
          <TextInput
            name="name"
            label="Your name"
            autoComplete="name"
            required
            withAsterisk={false}
            autoFocus
          />
          <TextInput
            name="email"
            type="email"
            label="Email"
            autoComplete="username"
            required
            withAsterisk={false}
          />
          <NewPasswordInput name="password" label="Password" />
          <Button type="submit" loading={setUp.isPending} fullWidth mt="xs">
            Set up and sign in
          </Button>
        </Stack>
      </form>
    </FrontDoor>
  );
}

function LinkIsMissing() {
  return (
    <FrontDoor title="A link is needed">
      <Stack>
        <Text size="sm">
          This page is opened by a one-time link. Postern prints one at its first start; everyone else gets
          theirs from whoever runs it. Copy the whole link, with what stands behind the #.
        </Text>
        <Anchor component={Link} href="/sign-in" size="sm">
          I have a password already
        </Anchor>
      </Stack>
    </FrontDoor>
  );
}
