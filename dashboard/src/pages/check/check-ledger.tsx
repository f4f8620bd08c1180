import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LedgerEntry, SideOfRollout, WholeCheck } from '../../api/checks.ts';
import { formatPoints } from '../../format/numbers.ts';
import { AccountLink } from '../../ui/account-link.tsx';
import { Waterfall } from '../../ui/charts/waterfall.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSearchOfChecks } from '../checks/check-filters.ts';
import classes from './check.module.css';
import { describeEntry, sideOf, thresholdsOf } from './describe-entry.ts';
import { foldLedger, type LedgerStep } from './fold-ledger.ts';

export function CheckLedger({
  check,
}: {
  readonly check: Pick<WholeCheck, 'ledger' | 'rollouts' | 'risk_score' | 'action'>;
}) {
  const { ledger, rollouts, risk_score, action } = check;
  const steps = foldLedger(ledger);
  const others = ledger.filter((entry) => entry.points === 0 && isTelling(entry));
  return (
    <Panel title="Why" description="How the score came about, from 0.">
      {steps.length === 0 && (
        <Text size="sm" mb="sm">
          Nothing counted for or against it.
        </Text>
      )}
      <Waterfall
        title="From 0 to the score"
        steps={steps.map((step) => ({
          key: `${step.entry.kind} ${nameOf(step.entry)}`,
          label: labelOf(step.entry),
          note: <StepNote {...{ step, rollouts }} />,
          points: step.points,
        }))}
        total={{ label: `Score: ${action}`, value: risk_score, isHigh: action === 'BLOCK' }}
        marks={thresholdsOf(ledger)}
      />
      {others.length > 0 && (
        <ul className={classes.asides} aria-label="What counted nothing">
          {others.map((entry) => (
            <li key={`${entry.kind} ${nameOf(entry)}`}>
              {asideOf(entry, rollouts)} <Dimmed span>{describeEntry(entry, rollouts)}</Dimmed>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface StepProps {
  readonly step: LedgerStep;
  readonly rollouts: readonly SideOfRollout[];
}

function StepNote({ step: { entry, folded, cap }, rollouts }: StepProps) {
  const text = describeEntry(entry, rollouts);
  if (folded.length === 0) return cap === null ? text : `${text}; its group counts up to ${cap}`;
  const sum = formatPoints(folded.reduce((total, { points }) => total + points, 0));
  const names = folded.length === 1 ? 'another rule' : `${folded.length} other rules`;
  return (
    <>
      {text}
      <details className={classes.folded}>
        <summary>
          {cap === null
            ? `in place of ${names} of ${sum}`
            : `with ${names} of ${sum}; together they count up to ${cap}`}
        </summary>
        <ul>
          {folded.map((rule) => (
            <li key={rule.id}>
              <RuleLink id={rule.id} /> {formatPoints(rule.points)}: {describeEntry(rule, rollouts)}
            </li>
          ))}
          {cap !== null && (
            <li>
              <RuleLink id={nameOf(entry)} /> {formatPoints(entry.points)}
            </li>
          )}
        </ul>
      </details>
    </>
  );
}

/** False for a level or an action that follows from the score alone, without a rule: the waterfall shows it. */
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

function asideOf(entry: LedgerEntry, rollouts: readonly SideOfRollout[]): ReactNode {
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
          <RuleLink id={entry.id} /> fired {sideOf(entry, rollouts) ?? 'in the shadow'}, where it changes
          nothing.
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
  const searchOf = useSearchOfChecks();
  return (
    <Anchor component={AccountLink} href={searchOf({ rule: id })} inherit underline="always">
      {id}
    </Anchor>
  );
}
