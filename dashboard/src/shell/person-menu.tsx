import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconLock, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigateInAccount } from '../account-in-view.ts';
import { useSession, useSignOut } from '../api/session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextList } from '../ui/text-list.tsx';
import { unsavedTitles } from '../unsaved-work.ts';

/** Shows who is signed in; changes the password and signs out. */
export function PersonMenu() {
  const { person, operator_role } = useSession();
  const signOut = useSignOut(person.id);
  const navigate = useNavigateInAccount();
  const [unsaved, setUnsaved] = useState<readonly string[]>([]);
  const askOrSignOut = () => {
    const titles = unsavedTitles(person.id);
    if (titles.length > 0) setUnsaved(titles);
    else signOut.mutate();
  };
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={240}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={`Signed in as ${person.name}`} loading={signOut.isPending}>
            <IconUserCircle size={22} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" c="bright" truncate>
              {person.name}
            </Text>
            <Text size="xs" truncate>
              {person.email}
              {operator_role !== null && ` · ${operator_role}`}
            </Text>
          </Menu.Label>
          <Menu.Item
            leftSection={<IconLock size={16} aria-hidden />}
            onClick={() => navigate('/account/password')}
          >
            Change password
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={askOrSignOut}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {unsaved.length > 0 && (
        <ConfirmDialog
          title="Sign out and lose unsaved changes?"
          confirmLabel="Sign out and delete them"
          deed="You are still signed in"
          cancelLabel="Stay signed in"
          onConfirm={() => signOut.mutateAsync()}
          onClose={() => {
            setUnsaved([]);
            signOut.reset();
          }}
        >
          You have not saved your changes of:
          <TextList items={unsaved} my="xs" />
          Only this browser has them, and signing out deletes them here.
        </ConfirmDialog>
      )}
      {unsaved.length === 0 && signOut.error !== null && (
        <Dialog title="Signing out" onClose={() => signOut.reset()} centered>
          <ErrorNotice
            error={signOut.error}
            deed="You are still signed in"
            onRetry={() => signOut.mutate()}
          />
        </Dialog>
      )}
    </>
  );
}
