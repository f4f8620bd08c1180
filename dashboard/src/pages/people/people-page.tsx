import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type Person, useAccounts, usePeople } from '../../api/people.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { AccountsPanel } from './accounts-panel.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { LinksPanel } from './links-panel.tsx';
import { PeopleTable, type PersonAct } from './people-table.tsx';
import { PasswordLinkDialog, RemoveDialog } from './person-dialogs.tsx';
import { RolesDialog } from './roles-dialog.tsx';

type Open = { readonly act: 'invite' } | { readonly act: PersonAct; readonly person: Person };

export default function PeoplePage() {
  const { data: accounts = [], error, refetch } = useAccounts();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <Page
      docs="dashboard#who-may-do-what"
      title="People"
      description="Who may sign in here, and what they may do. An invited person chooses a password with a link."
      actions={
        <Button
          leftSection={<IconUserPlus size={16} aria-hidden />}
          onClick={() => setOpen({ act: 'invite' })}
        >
          Invite
        </Button>
      }
    >
      <ErrorNotice error={error} deed="The accounts could not be loaded" onRetry={() => refetch()} />
      <Panel title="People">
        <Loaded
          query={usePeople()}
          deed="The people could not be loaded"
          label="Loading the people"
          height={120}
        >
          {(people) => <PeopleTable people={people} onAct={(act, person) => setOpen({ act, person })} />}
        </Loaded>
      </Panel>
      <LinksPanel />
      <AccountsPanel accounts={accounts} />
      {open?.act === 'invite' && <InviteDialog accounts={accounts} onClose={close} />}
      {open?.act === 'roles' && <RolesDialog person={open.person} accounts={accounts} onClose={close} />}
      {open?.act === 'password' && <PasswordLinkDialog person={open.person} onClose={close} />}
      {open?.act === 'remove' && <RemoveDialog person={open.person} onClose={close} />}
    </Page>
  );
}
