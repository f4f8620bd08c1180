import type { LoadedConfig } from '../../app/config/load-config.ts';
import { isoTime } from '../../lib/dates.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { checksOf } from '../../rule-lab/shadow/checks-of.ts';
import { type Standing, worstOf } from '../../rule-lab/shadow/promotion.ts';
import type { ShadowReport } from '../../rule-lab/shadow/report.ts';
import { reportShadow } from '../../rule-lab/shadow/report-shadow.ts';
import { compileRuleSet, type RuleSet } from '../../rules/compile.ts';
import { formatProblem } from '../../rules/problem.ts';
import { suggest } from '../../rules/suggestion.ts';
import type { CheckSelection, Storage } from '../../storage/ports.ts';
import { knownAccount } from '../accounts.ts';
import { withStorage } from '../open-session.ts';
import { Progress } from '../render/progress.ts';
import { CannotRun, type Shell } from '../shell.ts';
import { openRules, type RulesOptions } from './open-rules.ts';
import { printShadow } from './print-shadow.ts';

export interface ShadowOptions extends RulesOptions {
  readonly since?: string;
  readonly until?: string;
  readonly days?: number;
  readonly account?: string;
  readonly examples: number;
  readonly check?: boolean;
}

const CHALLENGER = 'challenger';
const RULESET = /^[0-9a-f]{16}$/;
const DAY_MS = 86_400_000;

/** What the shadow rules and the challenger came to on live traffic, and whether they may be promoted. */
export async function shadow(shell: Shell, what: string | undefined, options: ShadowOptions): Promise<void> {
  const ruleSet = await compileRules(shell, options);
  const ids = ruleSet.shadows.map(({ id }) => id);
  if (what !== undefined && !RULESET.test(what) && ![CHALLENGER, ...ids].includes(what)) {
    const meant = suggest(what, [CHALLENGER, ...ids]);
    throw new CannotRun(
      `there is no shadow rule "${what}"${meant === undefined ? '' : ` (did you mean ${meant}?)`}; name one of them, ${CHALLENGER}, or the hash of one`,
    );
  }
  await withStorage(shell, options, { create: false }, async ({ loaded, storage }) => {
    const all = await reportOn(shell, ruleSet, what, options, loaded, storage);
    refuseNothing(all, what);
    const report = what === undefined ? all : narrowed(all, what);
    if (options.json) shell.json(report);
    else printShadow(shell, report, what);
    if (options.check) judge(shell, report);
  });
}

async function compileRules(shell: Shell, options: RulesOptions): Promise<RuleSet> {
  const { dir, definitions, problems, collector, now } = await openRules(shell, options);
  if (definitions) return compileRuleSet(definitions, collector.catalogue, now);
  const faults = problems.map(formatProblem);
  throw new CannotRun([`the rules in ${dir} have errors:`, ...faults].join('\n'));
}

async function reportOn(
  shell: Shell,
  ruleSet: RuleSet,
  what: string | undefined,
  options: ShadowOptions,
  { config }: LoadedConfig,
  storage: Storage,
): Promise<ShadowReport> {
  const selection = await selectionOf(options, storage);
  const checks = await storage.checks.count(selection);
  const progress = new Progress({
    terminal: shell.terminal,
    totalBytes: checks,
    clock: systemClock,
    doing: 'reading',
  });
  let seen = 0;
  const report = await reportShadow({
    checks,
    pages: storage.checks.triedPages(selection),
    ruleSet,
    challenger: what !== undefined && RULESET.test(what) ? what : null,
    criteria: config.rules.promotion,
    examples: options.examples,
    onProgress: (more) => {
      seen += more;
      progress.advance(seen, more);
    },
  });
  progress.stop();
  return report;
}

async function selectionOf(
  { since, until, days, account }: ShadowOptions,
  { accounts }: Storage,
): Promise<CheckSelection> {
  const first = days === undefined ? since : isoTime(systemClock.now() - days * DAY_MS);
  return { since: first, until, accountId: account && knownAccount(await accounts.list(), account).id };
}

/** Throws CannotRun where there is nothing of what was asked for: a mistaken hash must not look like a good answer. */
function refuseNothing({ checks, challenger, other_challengers: others }: ShadowReport, what?: string): void {
  if (checks === 0) {
    throw new CannotRun('there is no recorded check to judge by: --since, --until and --account choose them');
  }
  if (what === undefined || !RULESET.test(what) || challenger) return;
  const tried =
    others.length > 0
      ? `these were: ${others.map(({ ruleset }) => ruleset).join(', ')}`
      : 'none was: rules.challenger_dir of the configuration names one';
  throw new CannotRun(`challenger ${what} was tried in none of ${checksOf(checks)}; ${tried}`);
}

/** What stays of a report on one rule, or on the challenger. */
function narrowed(report: ShadowReport, what: string): ShadowReport {
  const isChallenger = what === CHALLENGER || RULESET.test(what);
  return {
    ...report,
    challenger: isChallenger ? report.challenger : null,
    other_challengers: isChallenger ? report.other_challengers : [],
    rules: isChallenger ? [] : report.rules.filter(({ id }) => id === what),
  };
}

/** Exit code 1 when a criterion does not hold. Throws CannotRun when that cannot be told: a guard that cannot see must not pass. */
function judge(shell: Shell, { challenger, rules }: ShadowReport): void {
  const standings: Standing[] = [...rules, ...(challenger ? [challenger] : [])].map(
    ({ promotion }) => promotion.standing,
  );
  const standing = worstOf(standings);
  if (standing === 'fails') shell.exitCode = 1;
  if (standing === 'untold') {
    throw new CannotRun('it cannot be told whether all criteria hold: more days or labels are needed');
  }
}
