import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { LoadedConfig } from '../../app/config/load-config.ts';
import { type CheckRecord, parseRecord, recordedFacts } from '../../checks/check-record.ts';
import { AppError } from '../../errors.ts';
import { shortPath } from '../../lib/paths.ts';
import { messageOf } from '../../lib/thrown.ts';
import { type Decision, type Facts, presentSummary } from '../../rules/decision.ts';
import { ordinaryFacts } from '../../rules/described-facts.ts';
import { explainDecision, type Flip, type Outlook } from '../../rules/explain-decision.ts';
import { describeValues } from '../../rules/ledger.ts';
import { ReadableFacts, readFacts } from '../../rules/lint/readable-facts.ts';
import { formatProblem, ProblemList } from '../../rules/problem.ts';
import { readYaml } from '../../rules/yaml-document.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import { presentRefusal, printRefusal } from '../check/check-addresses.ts';
import { loadSettings, openAssessor, quietLog, withStorage } from '../open-session.ts';
import { indent, renderLedger, renderOutcome, renderReasons, styleOf } from '../render/outcome.ts';
import { renderTable } from '../render/table.ts';
import { CannotRun, type Shell } from '../shell.ts';
import type { RulesOptions } from './open-rules.ts';

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
      await explainWith(shell, loaded, parseRecord(row), options);
      return;
    }
    shell.note(`there is no check "${what}"`);
    shell.exitCode = 1;
  });
}

/** An address, a record, or the facts of a file. */
async function explainWith(
  shell: Shell,
  loaded: LoadedConfig,
  what: string | undefined | CheckRecord,
  options: ExplainOptions,
) {
  const opened = await openAssessor(inDirectory(shell, loaded, options.dir), await quietLog(shell));
  const { collector, policies, assessor } = opened;
  try {
    const { catalogue } = collector;
    let subject: Subject;
    if (typeof what === 'object') {
      const { id, created_at, action, risk_score, risk_level, ruleset } = what;
      const recorded = { created_at, action, risk_score, risk_level, ruleset };
      subject = { name: id, ...recordedFacts(what, catalogue), recorded };
    } else if (what === undefined) subject = await subjectOfFile(shell, options.facts ?? '', catalogue);
    else {
      const { address, signals } = await assessor.assess(what, options.offline ? 'local' : 'live');
      const { facts, unknown } = signals;
      subject = { name: address.canonical.address, facts, unknown, recorded: null };
    }
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

/** What was decided when a check was answered. */
type RecordedDecision = Pick<CheckRecord, 'created_at' | 'action' | 'risk_score' | 'risk_level' | 'ruleset'>;

/** The facts to explain, and where they come from. */
interface Subject {
  readonly name: string;
  readonly facts: Facts;
  /** Why each null is null. */
  readonly unknown: Readonly<Record<string, string>>;
  readonly recorded: RecordedDecision | null;
}

/** A YAML or JSON mapping of facts; those that it leaves out are ordinary, as in a rule test. */
async function subjectOfFile(shell: Shell, file: string, catalogue: FactCatalogue): Promise<Subject> {
  const path = resolve(shell.cwd, file);
  const name = shortPath(path, shell.cwd);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new CannotRun(`${name} cannot be read: ${messageOf(error)}`);
  }
  const problems = new ProblemList();
  const document = readYaml({ file: name, name, text }, problems);
  const readable = new ReadableFacts(catalogue, new Map(), true);
  const given = document ? readFacts(document, { facts: readable, problems }) : {};
  if (problems.hasErrors) throw new CannotRun(problems.sorted().map(formatProblem).join('\n'));
  const unknown = Object.keys(given).filter((id) => given[id] === null);
  return {
    name,
    facts: { ...ordinaryFacts(catalogue), ...given },
    unknown: Object.fromEntries(unknown.map((id) => [id, 'stated'])),
    recorded: null,
  };
}

interface Explanation {
  readonly subject: Subject;
  readonly decision: Decision;
  readonly outlook: Outlook;
}

function presentExplanation({ subject, decision, outlook }: Explanation) {
  return {
    explained: subject.name,
    summary: presentSummary(decision),
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
        summary: presentSummary(flip.decision),
      })),
    },
  };
}

function printExplanation(shell: Shell, { subject, decision, outlook }: Explanation): void {
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
