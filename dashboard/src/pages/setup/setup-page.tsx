import { Anchor, Center, Loader, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { useOneTimeLink } from '../../api/one-time-link.ts';
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { RedeemForm } from './redeem-form.tsx';

/** Where one-time links lead: the first owner's, an invitation, and one for another password. */
export default function SetupPage() {
  // The token is in the fragment, which browsers do not send. It is read once.
  const [token] = useState(() => location.hash.slice(1));
  return token === '' ? <LinkIsMissing /> : <OpenedLink token={token} />;
}

function OpenedLink({ token }: { readonly token: string }) {
  const { data: link, error, refetch } = useOneTimeLink(token);
  if (link !== undefined) return <RedeemForm token={token} link={link} />;
  if (error === null) {
    return (
      <Center h="100dvh" component="main">
        <Loader role="status" aria-label="Looking at your link" />
      </Center>
    );
  }
  const isUsedUp = error instanceof ApiError && !error.isRetryable;
  return (
    <SignedOutLayout title="This link does not work">
      <Stack>
        <ErrorNotice error={error} deed="The link was not opened" onRetry={isUsedUp ? undefined : refetch} />
        {isUsedUp && <Text size="sm">Ask the person who gave it to you for another one.</Text>}
        <ToSignIn />
      </Stack>
    </SignedOutLayout>
  );
}

function LinkIsMissing() {
  return (
    <SignedOutLayout title="A link is needed">
      <Stack>
        <Text size="sm">
          This page is opened by a one-time link. Postern prints one at its first start; owners make all
          others. Copy the whole link, with the part behind the #.
        </Text>
        <ToSignIn />
      </Stack>
    </SignedOutLayout>
  );
}

function ToSignIn() {
  return (
    <Anchor component={Link} href="/sign-in" size="sm">
      I have a password already
    </Anchor>
  );
}
