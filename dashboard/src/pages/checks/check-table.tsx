import { Badge, Checkbox, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { useAccountNames } from '../../account-in-view.ts';
import type { ListedCheck } from '../../api/checks.ts';
import { formatPoints } from '../../format/numbers.ts';
import { TallLink } from '../../ui/account-link.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LabelBadge } from '../../ui/label-badge.tsx';
import { Nothing } from '../../ui/nothing.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ActionBadge, LevelBadge } from '../../ui/verdict-badge.tsx';
import classes from './checks.module.css';
import { Pseudonym } from './pseudonym.tsx';

interface Props {
  readonly rows: readonly ListedCheck[] | undefined;
  /** Whether they are of several accounts, so that each has to be named. */
  readonly hasAccounts: boolean;
  readonly empty: ReactNode;
  /** The chosen checks; null where the person may not label checks. */
  readonly choice: Choice | null;
}

export interface Choice {
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (ids: readonly string[]) => void;
}

export function CheckTable({ rows, hasAccounts, empty, choice }: Props) {
  const [search] = useSearchParams();
  const nameOf = useAccountNames();
  // The link carries the search, so that the check's page knows its neighbours.
  const linkTo = (id: string) => `/checks/${id}${search.size === 0 ? '' : `?${search}`}`;
  const countOf = Object.groupBy(rows ?? [], ({ person }) => person ?? '');
  const columns: readonly Column<ListedCheck>[] = [
    ...(choice === null ? [] : [choiceColumn(choice)]),
    {
      key: 'what',
      header: 'Address',
      isRowHeader: true,
      render: ({ id, address, domain, environment, person }) => (
        <Group gap="0 6px" className={classes.address}>
          <TallLink href={linkTo(id)} fw={500}>
            {address ?? (domain === null ? id : `…@${domain}`)}
          </TallLink>
          {environment === 'test' && (
            <Badge size="xs" variant="default">
              test
            </Badge>
          )}
          {person !== null && <Pseudonym person={person} count={countOf[person]?.length ?? 0} />}
        </Group>
      ),
    },
    {
      key: 'action',
      header: 'Answer',
      isBrief: true,
      render: ({ action }) => <ActionBadge action={action} />,
    },
    { key: 'score', header: 'Score', align: 'end', isBrief: true, render: ({ risk_score }) => risk_score },
    {
      key: 'level',
      header: 'Level',
      isBrief: true,
      render: ({ risk_level }) => <LevelBadge level={risk_level} />,
    },
    {
      key: 'rules',
      header: 'Rules',
      render: ({ rules }) =>
        rules.length === 0 ? <Nothing /> : <span className={classes.rules}>{describeRules(rules)}</span>,
    },
    {
      key: 'label',
      header: 'Label',
      isBrief: true,
      render: ({ label }) => (label === null ? <Nothing /> : <LabelBadge label={label} />),
    },
    ...(hasAccounts
      ? [{ key: 'account', header: 'Account', render: ({ account_id }: ListedCheck) => nameOf(account_id) }]
      : []),
    {
      key: 'at',
      header: 'When',
      isBrief: true,
      render: ({ created_at }) => <RelativeTime at={created_at} />,
    },
  ];
  return (
    <DataTable
      caption="Checks, the newest first"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      empty={empty}
    />
  );
}

/** Checks of test keys take no labels. */
function choiceColumn({ chosen, onChoose }: Choice): Column<ListedCheck> {
  return {
    key: 'chosen',
    header: 'Choose',
    isHeaderHidden: true,
    isBrief: true,
    render: ({ id, domain, environment }) => (
      <Checkbox
        size="sm"
        aria-label={`Choose ${domain === null ? id : `…@${domain}`}`}
        checked={chosen.has(id)}
        disabled={environment === 'test'}
        onChange={({ currentTarget }) => {
          const others = [...chosen].filter((other) => other !== id);
          onChoose(currentTarget.checked ? [...others, id] : others);
        }}
      />
    ),
  };
}

const SHOWN = 3;

function describeRules(rules: ListedCheck['rules']): string {
  const shown = rules
    .slice(0, SHOWN)
    .map(({ id, points }) => (points === 0 ? id : `${id} ${formatPoints(points)}`));
  return rules.length > SHOWN ? `${shown.join(', ')} and ${rules.length - SHOWN} more` : shown.join(', ');
}
