import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Assessment } from '../../checks/assessor.ts';
import { type CheckRecord, recordedFacts } from '../../checks/check-record.ts';
import { shortPath } from '../../lib/paths.ts';
import { messageOf } from '../../lib/thrown.ts';
import type { Facts } from '../../rules/decision.ts';
import { readFacts } from '../../rules/lint/read-facts.ts';
import { ReadableFacts } from '../../rules/lint/readable-facts.ts';
import { ordinaryFacts } from '../../rules/ordinary-facts.ts';
import { formatProblem, ProblemList } from '../../rules/problem.ts';
import { readYaml } from '../../rules/yaml-document.ts';
import type { FactCatalogue } from '../../signals/fact-catalogue.ts';
import { CannotRun, type Shell } from '../shell.ts';

/** What was decided when a check was answered. */
export type RecordedDecision = Pick<
  CheckRecord,
  'created_at' | 'action' | 'risk_score' | 'risk_level' | 'ruleset'
>;

/** The facts to explain, and where they come from. */
export interface Subject {
  readonly name: string;
  readonly facts: Facts;
  /** Why each null is null. */
  readonly unknown: Readonly<Record<string, string>>;
  readonly recorded: RecordedDecision | null;
}

export function subjectOfAddress({ address, signals }: Assessment): Subject {
  return {
    name: address.canonical.address,
    facts: signals.facts,
    unknown: signals.unknown,
    recorded: null,
  };
}

export function subjectOfRecord(record: CheckRecord, catalogue: FactCatalogue): Subject {
  const { id, created_at, action, risk_score, risk_level, ruleset } = record;
  const recorded = { created_at, action, risk_score, risk_level, ruleset };
  return { name: id, ...recordedFacts(record, catalogue), recorded };
}

/** A YAML or JSON mapping of facts; those that it leaves out are ordinary, as in a rule test. */
export async function subjectOfFile(shell: Shell, file: string, catalogue: FactCatalogue): Promise<Subject> {
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
