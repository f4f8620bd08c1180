import { existsSync } from 'node:fs';
import { isPostgresUrl } from '../../lib/service-url.ts';
import { type BacktestReport, namesOf } from '../../rule-lab/backtest/run-backtest.ts';
import type { Detail } from '../../rules/diff-conditions.ts';
import { type Change, diffRules } from '../../rules/diff-rules.ts';
import { printable, type Shell } from '../shell.ts';
import { type ReplayOptions, replay } from './backtest.ts';
import { openBoth } from './open-rules.ts';
import { describeSets, printEffect } from './print-backtest.ts';

/** What changed in meaning, then what that changes for recorded checks or the signups of a file. */
export async function diff(shell: Shell, candidateDir: string, options: ReplayOptions): Promise<void> {
  const rules = await openBoth(shell, candidateDir);
  const { sets, now, loaded } = rules;
  const changes = diffRules(sets.base.definitions, sets.candidate.definitions, now);
  const decides = changes.some((change) => change.decides);
  if (decides) shell.exitCode = 1;
  // Before the cases are read, which takes long.
  if (!shell.options.json) printChanges(shell, namesOf(sets), changes);
  const { url } = loaded.config.storage;
  const hasCases = options.file !== undefined || isPostgresUrl(url) || existsSync(url);
  // Without a change that decides, a replay of a million checks would show no difference.
  const effect = decides && hasCases ? (await replay(shell, rules, options)).report : null;
  const answer = { rule_sets: namesOf(sets), changes, effect: effect && presentEffect(effect) };
  shell.answer(answer, () => {
    if (!decides) return;
    shell.print();
    if (effect !== null && effect.cases.total > 0) printEffect(shell, effect);
    else shell.print('There are no cases to show the effect on: no recorded checks, or no row of the file.');
  });
}

function presentEffect({ source, cases, caveats, figures, levels, flips }: BacktestReport) {
  return { source, cases, caveats, figures, levels, flips };
}

function printChanges(shell: Shell, sets: ReturnType<typeof namesOf>, changes: readonly Change[]): void {
  shell.print(shell.paint('bold', printable(describeSets(sets))));
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
/** Members of a changed rule whose old and new text stand in a line each. */
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
