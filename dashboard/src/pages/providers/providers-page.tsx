import { Anchor, Badge, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { useOverview } from '../../api/overview.ts';
import { figuresOf, sharesOf } from '../../api/provider-shares.ts';
import { type Provider, type ProviderFigures, useProviders } from '../../api/providers.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { CountingProgress } from '../../ui/counting-progress.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Page } from '../../ui/page.tsx';
import { percentileColumns } from '../../ui/percentile-columns.ts';
import { RangePicker, useRange } from '../../ui/range-picker.tsx';
import { DnsServers } from './dns-servers.tsx';
import { ProviderDrawer } from './provider-drawer.tsx';

interface Row {
  readonly provider: Provider;
  /** Undefined until they are known. */
  readonly figures: ProviderFigures | undefined;
}

/** A share above this is marked. */
const MUCH_FAILED = 0.01;

/** The providers of signals, and how often and how fast each answers. */
export default function ProvidersPage() {
  const [range, setRange] = useRange();
  const { data, error, refetch } = useProviders();
  const figures = useOverview({ all: true }, range);
  const share = figures.data?.counted_share ?? 1;
  const [openId, setOpenId] = useState<string | null>(null);
  // Network providers come first, disabled ones last.
  const rows = data?.providers
    .map((provider): Row => ({ provider, figures: figures.data && figuresOf(figures.data, provider.id) }))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  const open = rows?.find(({ provider }) => provider.id === openId);
  return (
    <Page
      docs="providers"
      title="Providers"
      description="Where signals come from: what live checks of all accounts got from each, and how long it took."
      actions={<RangePicker value={range} onChange={setRange} />}
    >
      {error !== null && data === undefined && (
        <ErrorNotice error={error} deed="The providers could not be loaded" onRetry={() => refetch()} />
      )}
      <ErrorNotice
        error={figures.error}
        deed="The figures could not be loaded"
        onRetry={() => figures.refetch()}
      />
      {data !== undefined && <DnsServers servers={data.dns_servers} />}
      {share < 1 && <CountingProgress share={share} />}
      {(data !== undefined || error === null) && (
        <DataTable
          caption="Providers"
          columns={columns(setOpenId)}
          rows={rows}
          rowKey={({ provider }) => provider.id}
          empty={
            <EmptyState icon={IconPlugConnected} title="No providers">
              providers.enabled names none: every fact is unknown, and no rule that reads one fires.
            </EmptyState>
          }
        />
      )}
      <ProviderDrawer
        provider={open?.provider}
        figures={open?.figures}
        deadlineMs={data?.deadline_ms ?? 0}
        onClose={() => setOpenId(null)}
      />
    </Page>
  );
}

function rankOf({ provider: { is_enabled, stage } }: Row): number {
  if (!is_enabled) return 2;
  return stage === 'network' ? 0 : 1;
}

function columns(open: (id: string) => void): readonly Column<Row>[] {
  return [
    {
      key: 'id',
      header: 'Provider',
      render: ({ provider }) => (
        <div>
          <Anchor component="button" type="button" size="sm" onClick={() => open(provider.id)}>
            {provider.id}
          </Anchor>
          <Dimmed maw={340}>{provider.description}</Dimmed>
        </div>
      ),
    },
    { key: 'stage', header: 'Kind', render: ({ provider }) => <Kind provider={provider} /> },
    {
      key: 'checks',
      header: 'Checks',
      align: 'end',
      render: ({ figures }) => (figures ? formatCount(sharesOf(figures).checks) : '…'),
    },
    {
      key: 'kept',
      header: 'Kept',
      align: 'end',
      render: ({ provider, figures }) =>
        figures && provider.stage === 'network' ? formatShare(sharesOf(figures).kept) : '–',
    },
    { key: 'failed', header: 'Failed', align: 'end', render: ({ figures }) => <Failed figures={figures} /> },
    ...percentileColumns<Row>(({ figures }) => figures?.anew),
  ];
}

function Kind({ provider: { stage, is_enabled } }: Pick<Row, 'provider'>) {
  if (!is_enabled) {
    return <Badge color="gray">switched off</Badge>;
  }
  return (
    <Badge color={stage === 'network' ? 'indigo' : 'gray'}>
      {stage === 'network' ? 'asks others' : 'local'}
    </Badge>
  );
}

function Failed({ figures }: Pick<Row, 'figures'>) {
  const failed = figures ? sharesOf(figures).failed : null;
  const isMuch = failed !== null && failed > MUCH_FAILED;
  return (
    <Text span size="sm" fw={isMuch ? 650 : 400} c={isMuch ? 'var(--mantine-color-error)' : undefined}>
      {failed === 0 ? '0' : formatShare(failed)}
    </Text>
  );
}
