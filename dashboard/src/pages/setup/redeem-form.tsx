import { Button, Stack, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useLocation } from 'wouter';
import { type OneTimeLink, useRedemption } from '../../api/one-time-link.ts';
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { fieldsOf } from '../../ui/form-fields.ts';
import { NewPasswordInput } from '../../ui/new-password-input.tsx';

const WORDS: Readonly<Record<OneTimeLink['purpose'], readonly [title: string, description: string]>> = {
  setup: ['Welcome to Postern', 'You are its first owner. Choose how you sign in from now on.'],
  invitation: ['You are invited', 'Choose how you sign in to Postern from now on.'],
  password: ['A new password', 'Choose it, and you are signed in. All your other sessions end.'],
};

interface Props {
  readonly token: string;
  readonly link: OneTimeLink;
}

export function RedeemForm({ token, link: { purpose, email } }: Props) {
  const redemption = useRedemption();
  const wrong = fieldErrors(redemption.error, ['name', 'email', 'password']);
  const [, navigate] = useLocation();
  const [title, description] = WORDS[purpose];
  const isJoining = purpose !== 'password';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = fieldsOf(event.currentTarget, ['name', 'email', 'password']);
    redemption.mutate(
      {
        token,
        password: fields.password,
        ...(isJoining && { name: fields.name }),
        ...(email === null && { email: fields.email }),
      },
      { onSuccess: () => navigate('/', { replace: true }) },
    );
  };
  return (
    <SignedOutLayout title={title} description={description}>
      <form onSubmit={submit}>
        <Stack>
          {wrong === null && <ErrorNotice error={redemption.error} deed="You could not be set up" />}
          {isJoining && (
            <TextInput
              name="name"
              label="Your name"
              error={wrong?.name}
              autoComplete="name"
              required
              autoFocus
            />
          )}
          <TextInput
            name="email"
            type="email"
            label="Email"
            error={wrong?.email}
            autoComplete="username"
            required
            {...(email !== null && { defaultValue: email, readOnly: true })}
          />
          <NewPasswordInput name="password" label="Password" error={wrong?.password} />
          <Button type="submit" loading={redemption.isPending} fullWidth mt="xs">
            {isJoining ? 'Set up and sign in' : 'Set it and sign in'}
          </Button>
        </Stack>
      </form>
    </SignedOutLayout>
  );
}
