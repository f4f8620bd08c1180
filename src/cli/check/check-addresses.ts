import type { Assessment } from '../../checks/assessor.ts';
import { AppError } from '../../errors.ts';
import { openAssessor } from '../open-assessor.ts';
import type { CommonOptions } from '../options.ts';
import { loadSettings, quietLog } from '../settings.ts';
import type { Shell } from '../shell.ts';
import { presentAssessment, presentRefusal } from './present-assessment.ts';
import { printAssessment, printRefusal } from './print-assessment.ts';

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
  // A provider that throws is told with where it did.
  const { assessor, close } = await openAssessor(loaded, await quietLog(shell, 'warn'));
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
  if (answer instanceof AppError || answer.decision.action === 'BLOCK') shell.exitCode = 1;
  if (answer instanceof AppError) {
    if (options.json) shell.json(presentRefusal(email, answer));
    else printRefusal(shell, email, answer);
  } else if (options.json) shell.json(presentAssessment(answer));
  else printAssessment(shell, answer, options.explain === true);
}
