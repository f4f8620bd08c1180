import { type Assessment, presentOutcome } from '../../checks/assessor.ts';
import { AppError } from '../../errors.ts';
import { openAssessor } from '../open-assessor.ts';
import { loadSettings, quietLog } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { printReasons, renderOutcome } from '../render/outcome.ts';
import { printable } from '../render/printable.ts';
import type { Shell } from '../shell.ts';

export interface CheckAddressesOptions extends CommonOptions {
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
  const loaded = await loadSettings(shell, options);
  // Where a provider throws, the log says where.
  const { assessor, close } = await openAssessor(loaded, quietLog(shell, 'warn'));
  const world = options.offline ? 'local' : 'live';
  try {
    for (let from = 0; from < emails.length; from += SIDE_BY_SIDE) {
      const some = emails.slice(from, from + SIDE_BY_SIDE);
      const answers = await Promise.all(
        some.map((email) => assessor.assess(email, world).catch(refusalOrThrow)),
      );
      answers.forEach((answer, index) => {
        show(shell, some[index] ?? '', answer, options);
      });
    }
  } finally {
    close();
  }
}

function refusalOrThrow(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'unparseable_email') return error;
  throw error;
}

function show(
  shell: Shell,
  email: string,
  answer: Assessment | AppError,
  options: CheckAddressesOptions,
): void {
  if (answer instanceof AppError) answerRefusal(shell, email, answer, options);
  else {
    if (answer.decision.action === 'BLOCK') shell.exitCode = 1;
    shell.answer(options, present(answer), () => printAssessment(shell, answer, options.explain === true));
  }
}

/** One line of `check --json`. */
function present(assessment: Assessment) {
  const { address, signals, decision } = assessment;
  return {
    email: address.raw,
    ...presentOutcome(assessment),
    signals: signals.facts,
    unknown: signals.unknown,
    ledger: decision.ledger,
    ruleset: decision.ruleset,
    degraded: signals.degraded,
  };
}

/** The outcome on a line; with `explain` the reasons below it. */
function printAssessment(shell: Shell, { address, signals, decision }: Assessment, explain: boolean): void {
  const canonical = address.canonical.address;
  const remarks = [
    ...(canonical === address.raw ? [] : [shell.paint('dim', `<- ${printable(address.raw)}`)]),
    ...(signals.degraded.length === 0
      ? []
      : [shell.paint('yellow', `degraded: ${signals.degraded.join(', ')}`)]),
  ];
  shell.print(renderOutcome(shell, decision, canonical, remarks));
  if (!explain) return;
  printReasons(shell, decision.ledger, signals.unknown);
  shell.print();
}

/** Of a text that is no address, which has no action, no score and no level; exit code 1. `error` is that of the HTTP envelope. */
export function answerRefusal(shell: Shell, email: string, refusal: AppError, options: CommonOptions): void {
  const { code, message, details = [] } = refusal;
  shell.exitCode = 1;
  shell.answer(options, { email, error: { code, message, details } }, () => {
    const reasons = details.map((detail) => `${detail.message} (at ${detail.position})`).join('; ');
    const verdict = shell.paint('red', 'no address'.padEnd('BLOCK  100  medium'.length));
    shell.print(`${verdict}  ${printable(email)}  ${printable(reasons || message)}`);
  });
}
