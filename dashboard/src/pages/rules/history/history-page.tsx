import { Badge, Button, Code, Group, Select, Stack } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useAddress } from '../../../address.ts';
import { formatCounted } from '../../../format/numbers.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { OlderButton } from '../../../ui/older-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Outcome } from '../publish/outcome.tsx';
import { comparisonQuery, type Published, rulesQuery, type Version, versionsQuery } from '../queries.ts';
import classes from './history-page.module.css';
import { PatchView } from './patch-view.tsx';
import { RollBackButton } from './roll-back-button.tsx';

/** Every set of rules that was in force, what differs between two, and the way back. */
export default function HistoryPage() {
  const [search, put] = useAddress();
  const [before, after] = [search.get('before'), search.get('after')];
  const pair = before !== null && after !== null ? { before, after } : null;
  const [isAsked, setAsked] = useState(pair !== null);
  const [published, setPublished] = useState<Published | null>(null);
  const query = useInfiniteQuery(versionsQuery);
  const { data: rules } = useQuery(rulesQuery);
  const versions = query.data?.pages.flatMap((page) => page.versions) ?? [];
  return (
    <Page
      docs="dashboard#rules"
      title="Rule history"
      description="Every set of rules that was in force stays: who brought it, what it changed, and the way back to it."
    >
      {published !== null && (
        <Outcome published={published} directory={rules?.directory.path ?? 'rules.dir'} />
      )}
      <Panel title="Versions">
        <Loaded query={query} deed="The versions could not be read" label="Loading the versions" height={240}>
          {() => (
            <DataTable
              caption="Versions of the rules"
              columns={columnsOf((older, newer) => {
                put({ before: older, after: newer });
                setAsked(true);
              }, setPublished)}
              rows={versions}
              rowKey={({ version }) => String(version)}
              empty={
                <EmptyState icon={IconHistory} title="No history yet">
                  The first start of the service puts the rules directory in force, as version 1. Every change
                  after that stands here.
                </EmptyState>
              }
            />
          )}
        </Loaded>
        <OlderButton query={query} deed="Older versions could not be read">
          Show older ones
        </OlderButton>
      </Panel>
      {versions.length > 1 && (
        <Compare {...{ versions, pair, isAsked }} onPair={put} onShown={() => setAsked(false)} />
      )}
    </Page>
  );
}

function columnsOf(
  compare: (before: string, after: string) => void,
  onPublished: (published: Published) => void,
): readonly Column<Version>[] {
  return [
    {
      key: 'version',
      header: 'Version',
      isRowHeader: true,
      render: ({ version, in_force }) => (
        <Group gap="xs" wrap="nowrap">
          {version}
          {in_force && (
            <Badge size="sm" color="teal" miw="max-content">
              in force
            </Badge>
          )}
        </Group>
      ),
    },
    { key: 'ruleset', header: 'Ruleset', render: ({ ruleset }) => <Code>{ruleset ?? 'not compiled'}</Code> },
    { key: 'at', header: 'Since', render: ({ at }) => <RelativeTime at={at} /> },
    { key: 'author', header: 'By', render: ({ author }) => author ?? 'unknown' },
    {
      key: 'reason',
      header: 'How',
      render: (version) => (
        <>
          {describeReason(version)}
          {version.why !== null && <Dimmed>{version.why}</Dimmed>}
        </>
      ),
    },
    { key: 'changes', header: 'Changed', render: describeChanges },
    {
      key: 'actions',
      header: 'Actions',
      isHeaderHidden: true,
      align: 'end',
      render: (version) => (
        <Group gap={4} wrap="nowrap">
          {version.version > 1 && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Diff of version ${version.version}`}
              onClick={() => compare(String(version.version - 1), String(version.version))}
            >
              Diff
            </Button>
          )}
          {!version.in_force && <RollBackButton version={version} onDone={onPublished} />}
        </Group>
      ),
    },
  ];
}

function describeReason({ reason, restores }: Version): string {
  if (restores !== null) return `rollback to ${restores}`;
  return reason === 'draft' ? 'saved, never in force' : reason;
}

function describeChanges({ changes, version }: Version): string {
  if (changes.length === 0) return 'no file';
  if (version === 1 || changes.length > 3) return formatCounted(changes.length, 'file');
  return changes.map(({ file }) => file).join(', ');
}

interface CompareProps {
  readonly versions: readonly Version[];
  readonly pair: { readonly before: string; readonly after: string } | null;
  readonly onPair: (pair: { readonly before: string; readonly after: string }) => void;
  /** Scrolls the comparison into view and focuses it, once it is loaded. */
  readonly isAsked: boolean;
  readonly onShown: () => void;
}

function Compare({ versions, pair, onPair, isAsked, onShown }: CompareProps) {
  const [latest, before] = [versions[0]?.version ?? 1, versions[1]?.version ?? 1];
  const chosen = pair ?? { before: String(before), after: String(latest) };
  const comparison = useQuery(comparisonQuery(chosen.before, chosen.after));
  const frame = useRef<HTMLDivElement>(null);
  const isThere = !comparison.isPending;
  useEffect(() => {
    if (!isAsked || !isThere) return;
    frame.current?.focus({ preventScroll: true });
    frame.current?.scrollIntoView({ block: 'start' });
    onShown();
  }, [isAsked, isThere, onShown]);
  const choices = versions.map(({ version, ruleset }) => ({
    value: String(version),
    label: `${version} (${ruleset ?? 'not compiled'})`,
  }));
  return (
    <div ref={frame} tabIndex={-1} className={classes.compared}>
      <Panel title="Compare" description="What the later one means that the earlier one does not.">
        <Stack>
          <Group gap="xs">
            <Select
              label="From version"
              data={choices}
              value={chosen.before}
              onChange={(value) => value !== null && onPair({ ...chosen, before: value })}
              allowDeselect={false}
              size="xs"
            />
            <Select
              label="To version"
              data={choices}
              value={chosen.after}
              onChange={(value) => value !== null && onPair({ ...chosen, after: value })}
              allowDeselect={false}
              size="xs"
            />
          </Group>
          <Loaded
            query={comparison}
            deed="The versions could not be compared"
            label="Comparing the versions"
            height={96}
          >
            {(told) => <PatchView comparison={told} />}
          </Loaded>
        </Stack>
      </Panel>
    </div>
  );
}
