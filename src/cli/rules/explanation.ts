import type { Decision, Facts } from '../../rules/decision.ts';
import { describeValues } from '../../rules/describe-entry.ts';
import type { Flip, Outlook } from '../../rules/explain/find-flips.ts';
import { renderLedger } from '../render/ledger.ts';
import { indent, renderOutcome } from '../render/outcome-line.ts';
import { styleOf } from '../render/outcome-style.ts';
import { renderReasons } from '../render/reasons.ts';
import { renderTable } from '../render/table.ts';
import type { Shell } from '../shell.ts';
import type { RecordedDecision, Subject } from './subject.ts';

export interface Explanation {
  readonly subject: Subject;
  readonly decision: Decision;
  readonly outlook: Outlook;
}

export function presentExplanation({ subject, decision, outlook }: Explanation): Record<string, unknown> {
  return {
    explained: subject.name,
    summary: summaryOf(decision),
    recorded: subject.recorded,
    signals: subject.facts,
    unknown: subject.unknown,
    ledger: decision.ledger,
    ruleset: decision.ruleset,
    turn: {
      action: outlook.action,
      points: outlook.points,
      flips: outlook.flips.map((flip) => ({
        changes: flip.changes,
        from: before(flip, subject.facts),
        summary: summaryOf(flip.decision),
      })),
    },
  };
}

export function printExplanation(shell: Shell, { subject, decision, outlook }: Explanation): void {
  shell.print(renderOutcome(shell, decision, subject.name));
  if (subject.recorded) shell.print(compareWithRecord(subject.recorded, decision));
  shell.print(`\n${indent(renderLedger(shell, decision.ledger))}`);
  if (Object.keys(subject.unknown).length > 0) {
    shell.print(`\n${indent(renderReasons(shell, subject.unknown))}`);
  }
  shell.print(`\n${describeDistance(outlook, decision)}`);
  if (outlook.flips.length === 0) {
    shell.print(`No other value of one or two facts would make it ${outlook.action}.`);
    return;
  }
  shell.print(`With everything else as it is, these would make it ${outlook.action}:\n`);
  shell.print(
    indent(
      renderTable(
        shell,
        ['if', 'in place of', '>score', 'level', 'action'],
        outlook.flips.map((flip) => [
          describeValues(flip.changes),
          describeValues(before(flip, subject.facts)),
          flip.decision.score,
          { text: flip.decision.level, ...styleOf(flip.decision.level) },
          { text: flip.decision.action, ...styleOf(flip.decision.action) },
        ]),
      ),
    ),
  );
}

function summaryOf({ action, score, level }: Decision): Record<string, unknown> {
  return { action, risk_score: score, risk_level: level };
}

function before({ changes }: Flip, facts: Facts): Facts {
  return Object.fromEntries(Object.keys(changes).map((id) => [id, facts[id] ?? null]));
}

function compareWithRecord(recorded: RecordedDecision, now: Decision): string {
  const { created_at, action, risk_score, risk_level, ruleset } = recorded;
  const then = `${created_at}: ${action} ${risk_score} ${risk_level}`;
  if (ruleset === now.ruleset) return `recorded ${then}, by these rules`;
  return `recorded ${then}, by the rules ${ruleset}; this is what the rules ${now.ruleset} make of the same facts`;
}

function describeDistance({ action, points }: Outlook, { ledger }: Decision): string {
  if (points !== null) return `${action} needs ${plural(Math.abs(points))} ${points > 0 ? 'more' : 'fewer'}.`;
  const isForced = ledger.some(({ kind }) => kind === 'force');
  return isForced
    ? 'The action is forced: no score would change it.'
    : `No score alone would make it ${action}.`;
}

function plural(points: number): string {
  return points === 1 ? '1 point' : `${points} points`;
}
