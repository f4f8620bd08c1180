import { Alert, Badge, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconCloudDownload, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { type Download, useUpdateDownload } from '../../api/lists.ts';
import { formatCount, formatCounted } from '../../format/numbers.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RollBackDialog, UpdateDialog } from './download-dialogs.tsx';

/** The lists of `lists.urls`, each with its earlier snapshots. */
export function DownloadList({ downloads }: { readonly downloads: readonly Download[] }) {
  if (downloads.length === 0) {
    return (
      <EmptyState icon={IconCloudDownload} title="Nothing is downloaded">
        Name addresses of lists of throw-away domains in <Code>lists.urls</Code> of the configuration and
        restart: Postern then keeps them fresh, judges each download before it takes it, and can go back.
      </EmptyState>
    );
  }
  return (
    <Stack gap="md">
      {downloads.map((download) => (
        <DownloadPanel key={download.list} download={download} />
      ))}
    </Stack>
  );
}

const STATES: Readonly<Record<Download['state'], readonly [color: string, text: string]>> = {
  fresh: ['teal', 'fresh'],
  stale: ['orange', 'old'],
  missing: ['red', 'never downloaded'],
  held: ['yellow', 'rolled back, held until an update by hand'],
};

const FAILURES: Readonly<Record<string, string>> = {
  refused: 'The last download was refused: what was in force stays',
  failed: 'Nothing came the last time: what was in force stays',
};

function DownloadPanel({ download }: { readonly download: Download }) {
  const { list, name, url, state, entries, gone, confirmed_at, left_out, last_attempt, snapshots } = download;
  const update = useUpdateDownload();
  const [open, setOpen] = useState<'update' | 'accept' | 'rollback' | null>(null);
  const close = () => setOpen(null);
  const [color, text] = STATES[state];
  const before = snapshots[1];
  return (
    <Panel
      title={name}
      description={<span style={{ overflowWrap: 'anywhere' }}>{`${url}, in logs and votes ${list}`}</span>}
      actions={<Badge color={color}>{text}</Badge>}
    >
      <Stack gap="sm">
        <Text size="sm">
          {snapshots.length === 0
            ? 'Nothing of it is in force yet.'
            : `${formatCounted(entries, 'domain')}${gone === 0 ? '' : `, and ${formatCount(gone)} that it named within the last year`}. `}
          {confirmed_at !== null && (
            <>
              {'Its source held just this '}
              <RelativeTime at={confirmed_at} />.
            </>
          )}
        </Text>
        {last_attempt !== null && last_attempt.reason !== null && (
          <Alert color="orange" title={FAILURES[last_attempt.result]}>
            {`${last_attempt.reason}. `}
            {last_attempt.result === 'refused'
              ? 'Look at the list at its address; what you find right can be taken all the same.'
              : 'Postern asks again by itself; whether the address is still right stands in lists.urls.'}
          </Alert>
        )}
        {left_out.length > 0 && (
          <Dimmed size="sm">
            {`Left out, since no list of throw-away domains should name them: ${left_out.join(', ')}`}
          </Dimmed>
        )}
        <List size="sm" spacing={2}>
          {snapshots.map(({ sha256, taken_at, entries: held }, index) => (
            <List.Item key={sha256}>
              {`${formatCounted(held, 'domain')}, taken `}
              <RelativeTime at={taken_at} />
              {index === 0 && ' – in force'}
            </List.Item>
          ))}
        </List>
        {update.data !== undefined && (
          <Text size="sm" role="status">
            {update.data.reason === null
              ? `${update.data.result}: ${formatCount(update.data.added)} new, ${formatCount(update.data.removed)} gone.`
              : `${update.data.result}: ${update.data.reason}.`}
          </Text>
        )}
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            onClick={() => setOpen('update')}
          >
            Update now
          </Button>
          {last_attempt?.result === 'refused' && (
            <Button size="xs" variant="default" onClick={() => setOpen('accept')}>
              Take it all the same
            </Button>
          )}
          {before !== undefined && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconArrowBackUp size={14} aria-hidden />}
              onClick={() => setOpen('rollback')}
            >
              Roll back
            </Button>
          )}
        </Group>
        {(open === 'update' || open === 'accept') && (
          <UpdateDialog
            list={list}
            name={name}
            isAccepted={open === 'accept'}
            onUpdate={update.mutateAsync}
            onClose={close}
          />
        )}
        {open === 'rollback' && before !== undefined && (
          <RollBackDialog list={list} entries={before.entries} onClose={close} />
        )}
      </Stack>
    </Panel>
  );
}
