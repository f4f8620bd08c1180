import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Assessor, World } from '../../checks/assessor.ts';
import { type CheckRecord, notInRecord, recordedFacts } from '../../checks/check-record.ts';
import { isCheckId } from '../../labels/gather-labels.ts';
import { shortPath } from '../../lib/paths.ts';
import { counted } from '../../lib/statistics.ts';
import { type Decision, type Facts, presentSummary } from '../../rules/decision.ts';
import { ordinaryFacts } from '../../rules/described-facts.ts';
import {
  describeCount,
  type ExplainedDecision,
  explainDecision,
  type Outlook,
} from '../../rules/explain-decision.ts';
import { describeValues } from '../../rules/ledger.ts';
import { readFacts } from '../../rules/lint/read-test-file.ts';
import { formatProblem, ProblemList } from '../../rules/problem.ts';
import { withBucket } from '../../rules/rollout.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import { readYaml } from '../../rules/yaml-document.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import { answerRefusal, refusalOrThrow } from '../check/check-addresses.ts';
import { findRecord } from '../checks.ts';
import { openAssessor } from '../open-assessor.ts';
import { withStorage } from '../open-session.ts';
import { indent, printReasons, printSides, renderOutcome, styleOf } from '../render/outcome.ts';
import { type Cell, renderTable } from '../render/table.ts';
import { CannotRun, orCannotUse, printable, type Shell } from '../shell.ts';

export interface ExplainOptions {
  readonly facts?: string;
  readonly offline?: boolean;
}

/** Why a decision fell, and what would have turned it; of an address, a record, or the facts of a file. */
export async function explain(
  shell: Shell,
  what: string | undefined,
  { facts: file, offline }: ExplainOptions,
): Promise<void> {
  const asked = what ?? file;
  if (asked === undefined) {
    throw new CannotRun('name what to explain: an address, the id of a check, or --facts FILE');
  }
  if (what !== undefined && file !== undefined) {
    throw new CannotRun('an address or a check and --facts do not go together: name one of them');
  }
  const isCheck = file === undefined && isCheckId(asked);
  const record = isCheck ? await withStorage(shell, (session) => findRecord(session, asked)) : null;
  const isAddress = file === undefined && record === null;
  await using opened = await openAssessor(shell, { asksAddresses: isAddress });
  const { assessor, collector, policies } = opened;
  try {
    const { catalogue } = collector;
    const { ruleSet } = policies.current;
    const subject = record
      ? subjectOf(record, catalogue, ruleSet)
      : isAddress
        ? await subjectOfAddress(assessor, asked, offline ? 'local' : 'live')
        : await subjectOfFile(shell, asked, catalogue, ruleSet);
    const explained = await explainDecision(ruleSet, catalogue.facts, subject.facts);
    const explanation = { subject, unjudged: unjudgedOf(subject, explained.decision), ...explained };
    shell.answer(present(explanation), () => print(shell, explanation));
  } catch (error) {
    answerRefusal(shell, asked, refusalOrThrow(error));
  }
}

/** The facts to explain, and where they come from. */
interface Subject {
  readonly name: string;
  readonly facts: Facts;
  /** Why each null is null. */
  readonly unknown: Readonly<Record<string, string>>;
  /** What was decided when the check was answered; null where no check is explained. */
  readonly recorded: Pick<
    CheckRecord,
    'created_at' | 'action' | 'risk_score' | 'risk_level' | 'ruleset'
  > | null;
  /** Whether an address was given, not a check or a file. */
  readonly isAddress: boolean;
}

function subjectOf(record: CheckRecord, catalogue: FactCatalogue, ruleSet: RuleSet): Subject {
  const { id, created_at, action, risk_score, risk_level, ruleset } = record;
  const recorded = { created_at, action, risk_score, risk_level, ruleset };
  return { name: id, ...recordedFacts(record, catalogue, ruleSet), recorded, isAddress: false };
}

async function subjectOfAddress(assessor: Assessor, email: string, world: World): Promise<Subject> {
  const { address, facts, signals } = await assessor.assess(email, world);
  const { unknown } = signals;
  return { name: address.canonical.address, facts, unknown, recorded: null, isAddress: true };
}

/** A YAML or JSON mapping of facts; those that it leaves out are ordinary, as in a rule test. */
async function subjectOfFile(shell: Shell, file: string, catalogue: FactCatalogue, ruleSet: RuleSet) {
  const path = resolve(shell.cwd, file);
  const name = shortPath(path, shell.cwd);
  const text = await orCannotUse(name, 'read', () => readFile(path, 'utf8'));
  const problems = new ProblemList();
  const document = readYaml({ file: name, text }, problems);
  const given = document ? readFacts(document, { catalogue, problems }) : {};
  if (problems.hasErrors) throw new CannotRun(problems.sorted().map(formatProblem).join('\n'));
  const unknown = Object.keys(given).filter((id) => given[id] === null);
  return {
    name,
    facts: withBucket({ ...ordinaryFacts(catalogue), ...given }, ruleSet, () => null),
    unknown: Object.fromEntries(unknown.map((id) => [id, 'stated'])),
    recorded: null,
    isAddress: false,
  };
}

type Explanation = ExplainedDecision & { readonly subject: Subject; readonly unjudged: readonly string[] };

function present(explanation: Explanation) {
  const { subject, unjudged, decision, counts, outlook, listed, named, rollouts } = explanation;
  return {
    explained: subject.name,
    summary: presentSummary(decision),
    recorded: subject.recorded,
    signals: subject.facts,
    unknown: subject.unknown,
    unjudged,
    ledger: decision.ledger,
    counts,
    conditions: named,
    lists: listed,
    rollouts,
    ruleset: decision.ruleset,
    turn: {
      action: outlook.action,
      points: outlook.points,
      flips: outlook.flips.map(({ changes, from, decision: then }) => ({
        changes,
        from,
        summary: presentSummary(then),
      })),
    },
  };
}

function print(shell: Shell, explanation: Explanation): void {
  const { subject, unjudged, decision, counts, outlook, listed, named, rollouts } = explanation;
  const { action, flips } = outlook;
  shell.print(renderOutcome(shell, decision, subject.name));
  if (subject.recorded) shell.print(compareWithRecord(subject.recorded, decision));
  if (unjudged.length > 0) {
    const lacking = notInRecord(subject.unknown).join(', ');
    shell.print(
      shell.paint('red', `could not be judged: ${unjudged.join(', ')}; the record does not have ${lacking}`),
    );
  }
  printReasons(shell, decision.ledger, subject.unknown);
  if (counts.length > 0) shell.print('');
  for (const count of counts) shell.print(printable(`${count.rule}: ${describeCount(count)}`));
  if (named.length > 0) shell.print('');
  for (const { name, holds, means, rules } of named) {
    const how = holds === null ? 'is unknown' : holds ? 'holds' : 'does not hold';
    shell.print(printable(`condition ${name} ${how}: ${means}; for ${rules.join(', ')}`));
  }
  printSides(shell, rollouts, subject.isAddress);
  if (listed.length > 0) shell.print('');
  for (const { fact, value, list, entry } of listed) {
    shell.print(printable(`  ${fact}: ${value} is in list ${list} by ${entry}`));
  }
  shell.print(`\n${describeDistance(outlook, decision)}`);
  if (flips.length === 0) {
    shell.print(`No other value of one or two facts would make it ${action}.`);
    return;
  }
  shell.print(`With everything else as it is, these would make it ${action}:\n`);
  const rows = flips.map(({ changes, from, decision: then }): Cell[] => [
    describeValues(changes),
    describeValues(from),
    then.score,
    { text: then.level, style: styleOf(then.level) },
    { text: then.action, style: styleOf(then.action) },
  ]);
  shell.print(
    indent(renderTable(shell, { headings: ['if', 'in place of', '>score', 'level', 'action'], rows })),
  );
}

/** Rules that stand aside for want of a fact that the record does not have: they may have fired when the check was answered. */
function unjudgedOf({ unknown }: Subject, { ledger }: Decision): readonly string[] {
  const lacking = notInRecord(unknown);
  return ledger.flatMap((entry) =>
    entry.kind === 'stood_aside' && entry.unknown.some((id) => lacking.includes(id)) ? [entry.id] : [],
  );
}

function compareWithRecord(recorded: NonNullable<Subject['recorded']>, now: Decision): string {
  const { created_at, action, risk_score, risk_level, ruleset } = recorded;
  const then = `${created_at}: ${action} ${risk_score} ${risk_level}`;
  if (ruleset === now.ruleset) return `recorded ${then}, by these rules`;
  return `recorded ${then}, by the rules ${ruleset}; this is what the rules ${now.ruleset} make of the same facts`;
}

function describeDistance({ action, points }: Outlook, { ledger }: Decision): string {
  if (points !== null) {
    return `${action} needs ${counted(Math.abs(points), 'point')} ${points > 0 ? 'more' : 'fewer'}.`;
  }
  const isForced = ledger.some(({ kind }) => kind === 'force');
  return isForced
    ? 'The action is forced: no score would change it.'
    : `No score alone would make it ${action}.`;
}
