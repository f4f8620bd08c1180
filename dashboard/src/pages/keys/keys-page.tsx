import { Alert, Button, Switch } from '@mantine/core';
import { IconAlertTriangle, IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useAccount, useMay } from '../../account-in-view.ts';
import { useKeys, useLimits, useUsage } from '../../api/keys.ts';
import type { AccountOfSession } from '../../api/session.ts';
import { CountingProgress } from '../../ui/counting-progress.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { useIsCompared } from '../overview/compare-switch.tsx';
import { IssueDialog } from './issue-dialog.tsx';
import { KeyList, type KeyRow } from './key-list.tsx';
import { figuresOf, firstDayAsked, firstDayBefore } from './key-usage.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { UsagePanel } from './usage-panel.tsx';

export default function KeysPage() {
  const account = useAccount();
  return account === undefined ? (
    <Page title="Keys">
      <EmptyState icon={IconKey} title="No account yet">
        Keys belong to an account, and you are a member of none. An owner of this Postern can invite you to
        one.
      </EmptyState>
    </Page>
  ) : (
    // The key remounts it for another account, so that no open dialog stays.
    <KeysOf key={account.id} account={account} />
  );
}

type Open = { readonly act: 'issue' } | { readonly act: 'rotate' | 'revoke'; readonly row: KeyRow };

function KeysOf({ account }: { readonly account: AccountOfSession }) {
  const now = useNow();
  const keys = useKeys(account.id);
  const limits = useLimits(account.id);
  const usage = useUsage(account.id, firstDayAsked(now));
  const isCompared = useIsCompared();
  const earlier = useUsage(account.id, firstDayBefore(now), isCompared);
  const share = usage.data?.counted_share ?? 1;
  // A key that seems unused because its hours are not counted yet could be revoked by mistake.
  const counted = share < 1 ? undefined : usage.data;
  const [open, setOpen] = useState<Open | null>(null);
  const [isAll, setIsAll] = useState(false);
  const canChange = useMay({ account: 'developer' });
  const rows: readonly KeyRow[] = (keys.data ?? []).map((apiKey) => ({
    apiKey,
    figures: counted && figuresOf(counted, apiKey.id, now),
  }));
  const usable = rows.filter(({ apiKey }) => apiKey.state === 'active' || apiKey.state === 'ending');
  const isOver = rows.length > usable.length;
  const inClear = usable.filter(
    ({ apiKey }) => apiKey.state === 'active' && apiKey.seen_in_clear_at !== null,
  );
  const close = () => setOpen(null);
  const shared = { accountId: account.id, onClose: close };
  return (
    <Page
      docs="api#keys"
      title="Keys"
      description={`What programs of ${account.name} ask Postern with. A secret is shown once, when it is made.`}
      actions={canChange && rows.length > 0 && <IssueButton onClick={() => setOpen({ act: 'issue' })} />}
    >
      {inClear.length > 0 && (
        <Alert color="red" title="A key was seen in clear" icon={<IconAlertTriangle aria-hidden />}>
          {inClear.map(({ apiKey }) => `“${apiKey.name ?? apiKey.prefix}”`).join(', ')} came over plain HTTP,
          where it could be read on the way.{' '}
          {canChange ? 'Rotate it' : 'Ask a developer of the account to rotate it'}, and have its program ask
          over HTTPS.
        </Alert>
      )}
      <Panel
        title={account.name}
        description={usable.length === 1 ? 'One key opens.' : `${usable.length} keys open.`}
        actions={
          isOver && (
            <Switch
              label="Show ended keys"
              size="sm"
              checked={isAll}
              onChange={(event) => setIsAll(event.currentTarget.checked)}
            />
          )
        }
      >
        <Loaded query={keys} deed="The keys could not be loaded" label="Loading the keys" height={160}>
          {() =>
            rows.length === 0 ? (
              <EmptyState
                icon={IconKey}
                title="No keys yet"
                action={canChange && <IssueButton onClick={() => setOpen({ act: 'issue' })} />}
              >
                A program asks Postern with a key.{' '}
                {canChange
                  ? 'Issue a test key to try it without using quota, then a live one.'
                  : 'A developer of this account can issue one.'}
              </EmptyState>
            ) : (
              <KeyList
                rows={isAll ? rows : usable}
                onAct={canChange ? (act, row) => setOpen({ act, row }) : null}
              />
            )
          }
        </Loaded>
      </Panel>
      {share < 1 && <CountingProgress share={share} />}
      <UsagePanel
        limits={limits.data}
        usage={counted}
        earlier={isCompared && earlier.data?.counted_share === 1 ? earlier.data : undefined}
        error={limits.error ?? usage.error}
        onRetry={() => Promise.all([limits.refetch(), usage.refetch()])}
        now={now}
      />
      {open?.act === 'issue' && <IssueDialog {...shared} />}
      {open?.act === 'rotate' && <RotateDialog {...shared} apiKey={open.row.apiKey} />}
      {open?.act === 'revoke' && (
        <RevokeDialog
          accountId={account.id}
          onClose={close}
          apiKey={open.row.apiKey}
          figures={open.row.figures}
        />
      )}
    </Page>
  );
}

function IssueButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button leftSection={<IconKey size={16} aria-hidden />} onClick={onClick}>
      Issue a key
    </Button>
  );
}
