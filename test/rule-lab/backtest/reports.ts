import type { Label } from '../../../src/labels/label.ts';
import type { Case } from '../../../src/rule-lab/backtest/case.ts';
import type { BacktestReport } from '../../../src/rule-lab/backtest/run-backtest.ts';
import type { RuleSet } from '../../../src/rules/rule-set.ts';
import { compile, DECISION, group, is, points, when } from '../../rules/rules-directory.ts';
import { backtest, caseOf } from './cases.ts';

const rule = (id: string, fact: string, worth: string) => ({ [id]: `${when(is(fact, true))}, ${worth}` });

/** Blocks from 70. */
export const BASE = compile({
  'a.yaml': group('a', {
    ...rule('throw_away', 'domain.is_known_disposable', points(60)),
    ...rule('role', 'domain.is_role_account', points(20)),
    ...rule('silent', 'lists.denied', points(10)),
  }),
});

/** Blocks from 50, has no `role`, and `free` is new. */
export const CANDIDATE = compile({
  'decision.yaml': DECISION.replace(/(id: block\n[^\n]*\n.*value: )70/, '$150'),
  'a.yaml': group('a', {
    ...rule('throw_away', 'domain.is_known_disposable', points(60)),
    ...rule('free', 'domain.is_known_free_provider', points(5)),
    ...rule('silent', 'lists.denied', points(10)),
  }),
});

/** The same as in force, but for the points of `role`. */
export const HEAVIER = compile({
  'a.yaml': group('a', {
    ...rule('throw_away', 'domain.is_known_disposable', points(60)),
    ...rule('role', 'domain.is_role_account', points(75)),
    ...rule('silent', 'lists.denied', points(10)),
  }),
});

export interface Wanted {
  readonly cases?: readonly Case[];
  readonly candidate?: RuleSet;
  readonly directory?: string;
  readonly source?: Partial<BacktestReport['source']>;
  readonly caveats?: readonly string[];
  readonly costRatio?: number;
  readonly examples?: number;
}

/** What `rules backtest` would hand over. */
export async function aReport(wanted: Wanted = {}): Promise<BacktestReport> {
  const { cases = MIXED, candidate = CANDIDATE, directory = 'draft', source = {}, caveats = [] } = wanted;
  const { costRatio = 1, examples = 2 } = wanted;
  const report = await backtest({ base: BASE, candidate }, cases, { costRatio, examples });
  return {
    ...report,
    rule_sets: { ...report.rule_sets, candidate: { directory, ruleset: candidate.hash } },
    source: { ...report.source, ...source },
    caveats: [...caveats],
  };
}

const THROW_AWAY = { 'domain.is_known_disposable': true };
const ROLE = { 'domain.is_role_account': true };
const FREE = { 'domain.is_known_free_provider': true };

function some(count: number, facts: Case['facts'], label: Label | null, name: string): readonly Case[] {
  return Array.from({ length: count }, (_, index) =>
    caseOf(`chk_${name}_${index}`, facts, {
      label,
      domain: `${name}.example`,
      createdAt: `2026-11-0${1 + (index % 9)}T08:00:00.000Z`,
      recorded: { action: 'ALLOW', score: 0, level: 'low', ruleset: 'another' },
    }),
  );
}

/** 34 signups: 12 throw-away ones are newly blocked, 2 of these good; 3 that were both are blocked before and after. */
export const MIXED: readonly Case[] = [
  ...some(14, {}, 'good', 'quiet'),
  ...some(4, FREE, 'good', 'free'),
  ...some(2, THROW_AWAY, 'good', 'unlucky'),
  ...some(7, THROW_AWAY, 'bad', 'caught'),
  ...some(3, THROW_AWAY, null, 'unknown'),
  ...some(3, { ...THROW_AWAY, ...ROLE }, 'bad', 'both'),
  ...some(1, ROLE, null, 'role'),
];

export function unlabelled(cases: readonly Case[] = MIXED): readonly Case[] {
  return cases.map((one) => ({ ...one, label: null }));
}
