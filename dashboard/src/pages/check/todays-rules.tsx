import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMay } from '../../account-in-view.ts';
import { type Explanation, useExplanation, type WholeCheck } from '../../api/checks.ts';
import { TextLink } from '../../ui/account-link.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ActionBadge, LevelBadge } from '../../ui/verdict-badge.tsx';
import { describeValues, spokenFact } from './describe-entry.ts';

type Flip = Explanation['turn']['flips'][number];

const COLUMNS: readonly Column<Flip>[] = [
  { key: 'if', header: 'If', render: ({ changes }) => describeValues(changes) },
  { key: 'from', header: 'In place of', render: ({ from }) => describeValues(from) },
  { key: 'action', header: 'Answer', render: ({ action }) => <ActionBadge action={action} /> },
  { key: 'score', header: 'Score', align: 'end', render: ({ risk_score }) => risk_score },
];

/** The decision of the rules in force on the recorded facts, and what would change it. */
export function TodaysRules({ check }: { readonly check: WholeCheck }) {
  return (
    <Panel
      title="Under today's rules"
      description="The recorded facts, judged by the rules in force now; and the nearest facts that would change the answer."
    >
      <Loaded
        query={useExplanation(check)}
        deed="It was not judged by today's rules"
        label="Asking the rules in force"
        height={96}
      >
        {(explanation) => <Replay check={check} explanation={explanation} />}
      </Loaded>
    </Panel>
  );
}

interface ReplayProps {
  readonly check: WholeCheck;
  readonly explanation: Explanation;
}

function Replay({ check, explanation: { decision, missing, counts, conditions, lists, turn } }: ReplayProps) {
  const { action, risk_score, risk_level, rollouts, ruleset } = decision;
  const isSameSet = ruleset === check.ruleset;
  const isSame = action === check.action && risk_score === check.risk_score;
  return (
    <>
      <Group gap="sm" mb="xs">
        <ActionBadge action={action} />
        <Text size="sm" fw={600}>{`Score ${risk_score}`}</Text>
        <LevelBadge level={risk_level} />
        <Dimmed size="sm">
          {isSameSet
            ? 'The rules are the same.'
            : isSame
              ? 'The rules have changed, the answer has not.'
              : 'The rules have changed, and so has this.'}
        </Dimmed>
      </Group>
      {missing.length > 0 && (
        <Dimmed mb="xs">
          {`Not in its record, so that rules which need it cannot be judged: ${missing.map(spokenFact).join(', ')}`}
        </Dimmed>
      )}
      {counts.map(({ rule, told }, place) => (
        // One rule may count twice.
        // biome-ignore lint/suspicious/noArrayIndexKey: they are known by their place
        <About key={place} name={rule}>
          {told}
        </About>
      ))}
      {conditions.map(({ name, holds, means, rules }) => (
        <About key={name} name={name}>
          {`${holds === null ? 'unknown' : holds ? 'holds' : 'does not hold'}. It is ${means}, for ${rules.join(', ')}`}
        </About>
      ))}
      {rollouts.map(({ rule, told }) => (
        <About key={rule} name={rule}>
          {told}
        </About>
      ))}
      {lists.map(({ fact, value, list, entry }) => (
        <About key={`${fact} ${list}`} name={fact}>
          {`${value} is in the list `}
          <ListName list={list} entry={entry} />
          {`, by the entry ${entry}`}
        </About>
      ))}
      <Text size="sm" mb="sm">
        {distanceOf(turn)}
      </Text>
      <DataTable
        caption={`What would make it ${turn.action}`}
        columns={COLUMNS}
        rows={turn.flips}
        rowKey={({ changes }) => describeValues(changes)}
        empty={<Text size="sm">{`No other value of one or two facts would make it ${turn.action}.`}</Text>}
      />
    </>
  );
}

/** A sentence about a rule, a condition or a fact. */
function About({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Text size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
      <Text span fw={600}>{`${name}: `}</Text>
      {children}
    </Text>
  );
}

function distanceOf({ action, points }: Explanation['turn']): string {
  if (points === null) return `No score alone would make it ${action}.`;
  const count = Math.abs(points);
  return `${action} needs ${count} ${count === 1 ? 'point' : 'points'} ${points > 0 ? 'more' : 'fewer'}.`;
}

/** A link to the entry for analysts and owners; the name alone for others. */
function ListName({ list, entry }: { readonly list: string; readonly entry: string }) {
  if (!useMay({ operator: 'analyst' })) return list;
  return (
    <TextLink href={`/lists/named/${list}?search=${encodeURIComponent(entry)}`} underline="always">
      {list}
    </TextLink>
  );
}
