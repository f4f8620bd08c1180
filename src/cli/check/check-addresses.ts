import type { Assessment } from '../../checks/assessor.ts';
import { AppError } from '../../errors.ts';
import { inOrder } from '../../lib/concurrency.ts';
import { presentOutcome } from '../../rules/decision.ts';
import { type SideOfRollout, sidesIn } from '../../rules/rollout.ts';
import { openAssessor } from '../open-assessor.ts';
import { indent, printReasons, printSides, renderOutcome } from '../render/outcome.ts';
import { renderTable } from '../render/table.ts';
import { printable, type Shell } from '../shell.ts';

export interface CheckAddressesOptions {
  readonly explain?: boolean;
  readonly offline?: boolean;
}

/** Look-ups under way at once: enough to hide one slow domain, too few to flood a resolver. */
const SIDE_BY_SIDE = 8;

/** Answers in the order of the arguments; the exit code becomes 1 for a BLOCK or a text that is no address. */
export async function checkAddresses(
  shell: Shell,
  emails: readonly string[],
  options: CheckAddressesOptions,
): Promise<void> {
  // Where a provider throws, the log says where.
  await using opened = await openAssessor(shell, { logLevel: 'warn' });
  const { assessor, policies } = opened;
  const { ruleSet } = policies.current;
  const world = options.offline ? 'local' : 'live';
  const ask = async (email: string) => {
    const answer = await assessor.assess(email, world).catch(refusalOrThrow);
    return { email, answer };
  };
  for await (const { email, answer } of inOrder(emails, SIDE_BY_SIDE, ask)) {
    if (answer instanceof AppError) answerRefusal(shell, email, answer);
    else {
      if (answer.decision.action === 'BLOCK') shell.exitCode = 1;
      const rollouts = sidesIn(ruleSet, answer.decision.ledger, answer.facts);
      shell.answer(present(answer, rollouts), () => {
        printAssessment(shell, answer);
        if (options.explain) printExplanation(shell, answer, rollouts);
      });
    }
  }
}

/** For a text that is no address; any other error is thrown again. */
export function refusalOrThrow(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'unparseable_email') return error;
  throw error;
}

/** One line of `check --json`. */
function present(assessment: Assessment, rollouts: readonly SideOfRollout[]) {
  const { address, signals, decision } = assessment;
  return {
    email: address.raw,
    ...presentOutcome(assessment),
    signals: signals.facts,
    unknown: signals.unknown,
    evidence: signals.evidence,
    ledger: decision.ledger,
    rollouts,
    ruleset: decision.ruleset,
    degraded: signals.degraded,
  };
}

function printAssessment(shell: Shell, { address, signals, decision }: Assessment): void {
  const canonical = address.canonical.address;
  const remarks = [
    ...(canonical === address.raw ? [] : [shell.paint('dim', `<- ${printable(address.raw)}`)]),
    ...(signals.degraded.length === 0
      ? []
      : [shell.paint('yellow', `degraded: ${signals.degraded.join(', ')}`)]),
  ];
  shell.print(renderOutcome(shell, decision, canonical, remarks));
}

function printExplanation(
  shell: Shell,
  { signals, decision }: Assessment,
  rollouts: readonly SideOfRollout[],
): void {
  printReasons(shell, decision.ledger, signals.unknown);
  printSides(shell, rollouts, true);
  const rows = Object.entries(signals.evidence).flatMap(([id, told]) =>
    // `printReasons` above has said why a fact is unknown.
    'unknown' in told || Object.keys(told).length === 0 ? [] : [[id, JSON.stringify(told)]],
  );
  if (rows.length > 0)
    shell.print(`\n${indent(renderTable(shell, { headings: ['provider', 'evidence'], rows }))}`);
  shell.print();
}

/** Answers for a text that is no address, without action, score and level; exit code 1. `error` is that of the HTTP envelope. */
export function answerRefusal(shell: Shell, email: string, refusal: AppError): void {
  const { code, message, details = [] } = refusal;
  shell.exitCode = 1;
  shell.answer({ email, error: { code, message, details } }, () => {
    const reasons = details.map((detail) => `${detail.message} (at ${detail.position})`).join('; ');
    const verdict = shell.paint('red', 'no address'.padEnd('BLOCK  100  medium'.length));
    shell.print(`${verdict}  ${printable(email)}  ${printable(reasons || message)}`);
  });
}
