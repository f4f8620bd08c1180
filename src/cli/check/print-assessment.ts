import type { Assessment } from '../../checks/assessor.ts';
import type { AppError } from '../../errors.ts';
import { renderLedger } from '../render/ledger.ts';
import { indent, renderOutcome } from '../render/outcome-line.ts';
import { printable } from '../render/printable.ts';
import { renderReasons } from '../render/reasons.ts';
import type { Shell } from '../shell.ts';

/** The outcome on a line, and what is behind it. */
export function printAssessment(
  shell: Shell,
  { address, signals, decision }: Assessment,
  explain: boolean,
): void {
  const canonical = address.canonical.address;
  const remarks = [
    ...(canonical === address.raw ? [] : [shell.paint('dim', `<- ${printable(address.raw)}`)]),
    ...(signals.degraded.length === 0
      ? []
      : [shell.paint('yellow', `degraded: ${signals.degraded.join(', ')}`)]),
  ];
  shell.print(renderOutcome(shell, decision, canonical, remarks));
  if (!explain) return;
  shell.print(`\n${indent(renderLedger(shell, decision.ledger))}`);
  if (Object.keys(signals.unknown).length > 0) {
    shell.print(`\n${indent(renderReasons(shell, signals.unknown))}`);
  }
  shell.print();
}

/** What cannot be read has no action, no score and no level. */
export function printRefusal(shell: Shell, email: string, { message, details = [] }: AppError): void {
  const reasons = details.map((detail) => `${detail.message} (at ${detail.position})`).join('; ');
  const verdict = shell.paint('red', 'no address'.padEnd('BLOCK  100  medium'.length));
  shell.print(`${verdict}  ${printable(email)}  ${printable(reasons || message)}`);
}
