import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LedgerEntry, WholeCheck } from '../../api/checks.ts';
import { AccountLink } from '../../ui/account-link.tsx';
import { Waterfall } from '../../ui/charts/waterfall.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './check.module.css';
import { describeEntry, thresholdsOf } from './describe-entry.ts';

export function CheckLedger({
  check,
}: {
  readonly check: Pick<WholeCheck, 'ledger' | 'risk_score' | 'action'>;
}) {
  const { ledger, risk_score, action } = check;
  const counted = ledger.filter(({ points }) => points !== 0);
  const others = ledger.filter((entry) => entry.points === 0 && isTelling(entry));
  return (
    <Panel title="Why" description="How the score came about, from 0.">
      {counted.length === 0 && (
        <Text size="sm" mb="sm">
          Nothing counted for or against it.
        </Text>
      )}
      <Waterfall
        title="From 0 to the score"
        steps={counted.map((entry) => ({
          key: `${entry.kind} ${nameOf(entry)}`,
          label: labelOf(entry),
          note: describeEntry(entry),
          points: entry.points,
        }))}
        total={{ label: `Score: ${action}`, value: risk_score, isHigh: action === 'BLOCK' }}
        marks={thresholdsOf(ledger)}
      />
      {others.length > 0 && (
        <ul className={classes.asides} aria-label="What counted nothing">
          {others.map((entry) => (
            <li key={`${entry.kind} ${nameOf(entry)}`}>
              {asideOf(entry)}{' '}
              <Text span size="xs" c="dimmed">
                {describeEntry(entry)}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** The score alone tells nothing that the waterfall does not. */
function isTelling(entry: LedgerEntry): boolean {
  return (entry.kind !== 'level' && entry.kind !== 'action') || entry.id !== null;
}

function nameOf(entry: LedgerEntry): string {
  if (entry.kind === 'cap') return entry.group;
  return 'id' in entry ? (entry.id ?? '') : '';
}

function labelOf(entry: LedgerEntry): ReactNode {
  switch (entry.kind) {
    case 'rule':
      return <RuleLink id={entry.id} />;
    case 'absorbed':
      return `${entry.id}, absorbed`;
    case 'cap':
      return `Cap of the group ${entry.group}`;
    default:
      return 'Bounds of the score';
  }
}

function asideOf(entry: LedgerEntry): ReactNode {
  switch (entry.kind) {
    case 'force':
      return (
        <>
          <RuleLink id={entry.id} /> forced {entry.action}, whatever the score.
        </>
      );
    case 'stood_aside':
      return (
        <>
          <RuleLink id={entry.id} /> stood aside.
        </>
      );
    case 'shadow':
      return (
        <>
          <RuleLink id={entry.id} /> fired in the shadow, where it changes nothing.
        </>
      );
    case 'level':
      return `The level is ${entry.level} by ${entry.id}.`;
    case 'action':
      return `The answer is ${entry.action} by ${entry.id}.`;
    default:
      return labelOf(entry);
  }
}

function RuleLink({ id }: { readonly id: string }) {
  return (
    <Anchor
      component={AccountLink}
      href={`/checks?rule=${encodeURIComponent(id)}`}
      inherit
      underline="always"
    >
      {id}
    </Anchor>
  );
}
