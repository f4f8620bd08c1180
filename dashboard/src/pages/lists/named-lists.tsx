import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconListCheck, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type NamedList, type Published, useMakeNamedList } from '../../api/lists.ts';
import { formatCount } from '../../format/numbers.ts';
import { formatDay } from '../../format/times.ts';
import { TallLink } from '../../ui/account-link.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Nothing } from '../../ui/nothing.tsx';
import { NewListDialog } from './new-list-dialog.tsx';
import { PublishedNotice } from './published-notice.tsx';

const COLUMNS: readonly Column<NamedList>[] = [
  { key: 'name', header: 'List', render: (list) => <Name list={list} /> },
  { key: 'owner', header: 'Owner', render: ({ owner }) => owner ?? <Nothing /> },
  { key: 'entries', header: 'Entries', align: 'end', render: ({ entries }) => formatCount(entries) },
  { key: 'end', header: 'Next to end', render: (list) => <NextEnd list={list} /> },
  { key: 'rules', header: 'Read by', render: (list) => <Readers list={list} /> },
];

/** Lists of domains in `lists/` of the rules. */
export function NamedLists({ lists }: { readonly lists: readonly NamedList[] }) {
  const make = useMakeNamedList();
  const [isOpen, setOpen] = useState(false);
  const [published, setPublished] = useState<Published | null>(null);
  const button = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
      New list
    </Button>
  );
  return (
    <Stack gap="md">
      {lists.length > 0 && <Group justify="flex-end">{button}</Group>}
      {published !== null && (
        <PublishedNotice published={published} isHashed onClose={() => setPublished(null)} />
      )}
      <DataTable
        caption="Named lists"
        columns={COLUMNS}
        rows={lists}
        rowKey={({ file }) => file}
        empty={
          <EmptyState icon={IconListCheck} title="No named lists yet" action={button}>
            A named list holds domains that rules look into: partners, names that are let by the day. It is a
            file <Code>lists/partners.yaml</Code> or <Code>lists/partners.txt</Code> of the rules, and a rule
            names it: <Code>operator: in_list, value: partners</Code>.
          </EmptyState>
        }
      />
      {isOpen && (
        <NewListDialog
          onClose={() => setOpen(false)}
          onSave={async (list) => {
            setPublished(await make.mutateAsync(list));
            setOpen(false);
          }}
        />
      )}
    </Stack>
  );
}

function Name({ list: { name, description, faults } }: { readonly list: NamedList }) {
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <TallLink href={`/lists/named/${name}`} fw={600}>
          {name}
        </TallLink>
        {faults.length > 0 && (
          <Badge size="sm" color="red">
            has mistakes
          </Badge>
        )}
      </Group>
      {description !== null && <Dimmed style={{ overflowWrap: 'anywhere' }}>{description}</Dimmed>}
    </Stack>
  );
}

function NextEnd({ list: { next_end, expiring_soon, expired } }: { readonly list: NamedList }) {
  if (next_end === null && expired === 0) return <Nothing />;
  return (
    <Group gap="xs">
      {next_end !== null && <span>{formatDay(next_end)}</span>}
      {expiring_soon > 0 && (
        <Badge size="sm" color="yellow">{`${formatCount(expiring_soon)} soon over`}</Badge>
      )}
      {expired > 0 && <Badge size="sm" color="red">{`${formatCount(expired)} over`}</Badge>}
    </Group>
  );
}

/** The rules that look into a list, each with the way to its text. */
export function Readers({ list: { rules } }: { readonly list: NamedList }) {
  if (rules === null) return <Text size="sm">not known: the rules have errors</Text>;
  if (rules.length === 0) return <Text size="sm">no rule</Text>;
  return (
    <Group gap="xs">
      {rules.map(({ id, mode, file }) => (
        <TallLink key={id} href={`/rules?file=${encodeURIComponent(file)}`}>
          {mode === 'live' ? id : `${id} (${mode})`}
        </TallLink>
      ))}
    </Group>
  );
}
