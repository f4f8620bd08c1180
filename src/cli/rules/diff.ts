import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BySide } from '../../rule-lab/backtest/case.ts';
import type { BacktestReport } from '../../rule-lab/backtest/report.ts';
import type { ComparedSet } from '../../rule-lab/backtest/run-backtest.ts';
import { type Change, type Detail, diffRules } from '../../rules/diff-rules.ts';
import { printable } from '../render/printable.ts';
import type { Shell } from '../shell.ts';
import { compare } from './backtest.ts';
import { type CaseOptions, withCases } from './case-sources.ts';
import { compareWith, type OpenedRules, openRules, type RulesOptions } from './open-rules.ts';
import { printEffect } from './print-backtest.ts';

export interface DiffOptions extends RulesOptions, CaseOptions {
  readonly examples: number;
}

/** What changed in meaning, then what that changes for recorded checks or the signups of a file. */
export async function diff(shell: Shell, candidateDir: string, options: DiffOptions): Promise<void> {
  const opened = await openRules(shell, options);
  const sets = await compareWith(shell, opened, resolve(shell.cwd, candidateDir));
  const changes = diffRules(sets.base.definitions, sets.candidate.definitions, opened.now);
  const decides = changes.some((change) => change.decides);
  if (decides) shell.exitCode = 1;
  // Before the cases are read, which takes long.
  if (!options.json) printChanges(shell, sets, changes);
  // Without a change that decides, a replay of a million checks would show what is known.
  const effect = decides ? await findEffect(shell, opened, sets, options) : null;
  const answer = { rule_sets: namesOf(sets), changes, effect: effect && presentEffect(effect) };
  shell.answer(options, answer, () => {
    if (!decides) return;
    shell.print();
    if (effect !== null && effect.cases.total > 0) printEffect(shell, effect);
    else shell.print('There are no cases to show the effect on: no recorded checks, or no row of the file.');
  });
}

/** Null where there is nothing to judge by. */
async function findEffect(
  shell: Shell,
  opened: OpenedRules,
  sets: BySide<ComparedSet>,
  options: DiffOptions,
): Promise<BacktestReport | null> {
  if (options.file === undefined && !existsSync(opened.loaded.config.storage.url)) return null;
  return withCases(shell, opened, sets, options, (source) =>
    compare(shell, sets, source, { ...options, costRatio: 1 }),
  );
}

function presentEffect({ source, cases, caveats, figures, flips }: BacktestReport) {
  return { source, cases, caveats, figures, flips };
}

function namesOf({ base, candidate }: BySide<ComparedSet>) {
  const nameOf = ({ directory, ruleSet }: ComparedSet) => ({ directory, ruleset: ruleSet.hash });
  return { base: nameOf(base), candidate: nameOf(candidate) };
}

function printChanges(
  shell: Shell,
  { base, candidate }: BySide<ComparedSet>,
  changes: readonly Change[],
): void {
  const heading = `${base.directory} (${base.ruleSet.hash}) → ${candidate.directory} (${candidate.ruleSet.hash})`;
  shell.print(shell.paint('bold', printable(heading)));
  if (changes.length === 0) shell.print('They mean the same.');
  const { deciding = [], other = [] } = Object.groupBy(changes, ({ decides }) =>
    decides ? 'deciding' : 'other',
  );
  printAll(shell, 'What can change a decision:', deciding);
  printAll(shell, 'What changes no decision now:', other);
}

function printAll(shell: Shell, title: string, changes: readonly Change[]): void {
  if (changes.length > 0) shell.print(`\n${title}`);
  for (const change of changes) for (const line of describeChange(shell, change)) shell.print(`  ${line}`);
}

const MARKS = { added: '+', removed: '−', changed: '~', renamed: '~' } as const;
const STYLES = { added: 'green', removed: 'red', changed: 'yellow', renamed: 'yellow' } as const;
/** Of a changed rule, texts of these members stand in a line each. */
const LONG = ['description', 'reason'];

function describeChange(shell: Shell, { subject, id, change, details, concerns }: Change): readonly string[] {
  const read = concerns.length === 0 ? '' : `  (${concerns.join(', ')})`;
  const name = printable(`${subject} ${id}${read}`);
  const head = `${shell.paint(STYLES[change], MARKS[change])} ${name}`;
  return [
    head,
    ...details.flatMap((detail) => describeDetail(detail, change)).map((line) => `    ${printable(line)}`),
  ];
}

function describeDetail({ what, before, after }: Detail, change: Change['change']): readonly string[] {
  if (what === 'condition') return [...linesOf('−', before), ...linesOf('+', after)];
  if (change === 'added') return isEmpty(after) ? [] : [`${what} ${show(after)}`];
  if (change === 'removed') return isEmpty(before) ? [] : [`${what} ${show(before)}`];
  if (LONG.includes(what)) return [`${what}`, `  − ${show(before)}`, `  + ${show(after)}`];
  return [`${what} ${show(before)} → ${show(after)}`];
}

function linesOf(mark: string, texts: unknown): readonly string[] {
  return Array.isArray(texts) ? texts.map((text) => `${mark} ${text}`) : [];
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function show(value: unknown): string {
  if (isEmpty(value)) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
