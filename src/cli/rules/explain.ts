import { resolve } from 'node:path';
import type { LoadedConfig } from '../../app/config/load-config.ts';
import { AppError } from '../../errors.ts';
import { explainDecision } from '../../rules/explain/explain-decision.ts';
import { presentRefusal, printRefusal } from '../check/check-addresses.ts';
import { loadSettings, openAssessor, quietLog, withStorage } from '../open-session.ts';
import { CannotRun, type Shell } from '../shell.ts';
import { presentExplanation, printExplanation } from './explanation.ts';
import type { RulesOptions } from './open-rules.ts';
import { type Subject, subjectOfAddress, subjectOfFile, subjectOfRecord } from './subject.ts';

export interface ExplainOptions extends RulesOptions {
  readonly facts?: string;
  readonly offline?: boolean;
}

/** What `chk_…` cannot be: an address has an @ sign. */
const CHECK_ID = /^chk_[^@]*$/;

/** Why a decision fell, and what would have turned it; of an address, a record, or the facts of a file. */
export async function explain(
  shell: Shell,
  what: string | undefined,
  options: ExplainOptions,
): Promise<void> {
  if (what !== undefined && options.facts !== undefined) {
    throw new CannotRun('an address or a check and --facts do not go together: name one of them');
  }
  if (what === undefined && options.facts === undefined) {
    throw new CannotRun('name what to explain: an address, the id of a check, or --facts FILE');
  }
  if (what === undefined || !CHECK_ID.test(what)) {
    await explainWith(shell, await loadSettings(shell, options), what, options);
    return;
  }
  await withStorage(shell, options, { create: false }, async ({ loaded, storage }) => {
    const row = await storage.checks.find(what);
    if (row) {
      const { parseRecord } = await import('../../checks/check-record.ts');
      await explainWith(shell, loaded, parseRecord(row), options);
      return;
    }
    shell.note(`there is no check "${what}"`);
    shell.exitCode = 1;
  });
}

type What = string | undefined | Parameters<typeof subjectOfRecord>[0];

async function explainWith(shell: Shell, loaded: LoadedConfig, what: What, options: ExplainOptions) {
  const opened = await openAssessor(inDirectory(shell, loaded, options.dir), await quietLog(shell));
  const { collector, policies, assessor } = opened;
  try {
    const { catalogue } = collector;
    let subject: Subject;
    if (typeof what === 'object') subject = subjectOfRecord(what, catalogue);
    else if (what === undefined) subject = await subjectOfFile(shell, options.facts ?? '', catalogue);
    else subject = subjectOfAddress(await assessor.assess(what, options.offline ? 'local' : 'live'));
    const { ruleSet } = policies.current;
    const explanation = { subject, ...(await explainDecision(ruleSet, catalogue.facts, subject.facts)) };
    if (options.json) shell.json(presentExplanation(explanation));
    else printExplanation(shell, explanation);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unparseable_email' && typeof what === 'string'))
      throw error;
    shell.exitCode = 1;
    if (options.json) shell.json(presentRefusal(what, error));
    else printRefusal(shell, what, error);
  } finally {
    opened.close();
  }
}

/** The rules of a draft in place of those in force. */
function inDirectory(shell: Shell, loaded: LoadedConfig, dir: string | undefined): LoadedConfig {
  if (dir === undefined) return loaded;
  const { config } = loaded;
  return { ...loaded, config: { ...config, rules: { ...config.rules, dir: resolve(shell.cwd, dir) } } };
}
