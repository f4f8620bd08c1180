import { didYouMean, suggest } from '../../lib/did-you-mean.ts';
import { counted, figure, whole } from '../../lib/statistics.ts';
import { DAY_MS, isoTime, systemClock } from '../../lib/time.ts';
import type { Span } from '../../rule-lab/backtest/tally.ts';
import {
  type CriterionResult,
  type Figure,
  type Promotion,
  type Standing,
  worstOf,
} from '../../rule-lab/shadow/promotion.ts';
import { reportShadow, type ShadowReport } from '../../rule-lab/shadow/run-shadow.ts';
import type {
  ChallengerReport,
  CheckCounts,
  SeenChallenger,
  ShadowFlips,
  ShadowRuleReport,
} from '../../rule-lab/shadow/tallies.ts';
import { selectionOf } from '../accounts.ts';
import { withStorage } from '../open-session.ts';
import type { SelectionOptions } from '../options.ts';
import {
  describeCounts,
  describeFlipCounts,
  describeShare,
  type FlipDirection,
  indent,
  signed,
} from '../render/outcome.ts';
import { withProgress } from '../render/progress.ts';
import { printBlocks, renderCaveats, renderTable } from '../render/table.ts';
import { CannotRun, printable, type Shell, type Style } from '../shell.ts';
import { NO_CHECK } from './backtest.ts';
import { compileOpened, openRules } from './open-rules.ts';

export interface ShadowOptions extends SelectionOptions {
  readonly days?: number;
  readonly examples: number;
  readonly check?: boolean;
}

const CHALLENGER = 'challenger';
const RULESET = /^[0-9a-f]{16}$/;

/** What the shadow rules and the challenger came to on live traffic, and whether they may be promoted. */
export async function shadow(shell: Shell, what: string | undefined, options: ShadowOptions): Promise<void> {
  const opened = await openRules(shell);
  const { ruleSet } = compileOpened(opened);
  const hash = what !== undefined && RULESET.test(what) ? what : null;
  const words = [CHALLENGER, ...ruleSet.shadows.map(({ id }) => id)];
  if (what !== undefined && hash === null && !words.includes(what)) {
    throw new CannotRun(
      `there is no shadow rule "${what}"${didYouMean(what, words, suggest)}; name one of ${words.join(', ')}, or the hash of a challenger`,
    );
  }
  await withStorage(shell, async ({ loaded, storage }) => {
    const { days, examples } = options;
    const sinceDays = days === undefined ? {} : { since: isoTime(systemClock.now() - days * DAY_MS) };
    const selection = await selectionOf(storage, { ...options, ...sinceDays });
    const checks = await storage.checks.count(selection);
    if (checks === 0) throw new CannotRun(NO_CHECK);
    const all = await withProgress(shell, 'reading', checks, (progress) =>
      reportShadow({
        checks,
        ruleSet,
        challenger: hash,
        examples,
        catalogue: opened.collector.catalogue,
        pages: storage.checks.triedPages(selection),
        criteria: loaded.config.rules.promotion,
        onProgress: (more) => progress.advance(more),
      }),
    );
    if (hash !== null) requireTried(all, hash);
    const report = what === undefined ? all : narrowed(all, hash === null ? what : CHALLENGER);
    shell.answer(report, () => printShadow(shell, report, what));
    if (options.check) judge(shell, report);
  });
}

/** Throws CannotRun where the challenger was not tried: a mistyped hash must not look like a good answer. */
function requireTried({ checks, challenger, other_challengers: others }: ShadowReport, hash: string): void {
  if (challenger) return;
  const tried =
    others.length > 0
      ? `these were: ${others.map(({ ruleset }) => ruleset).join(', ')}`
      : 'none was: rules.challenger_dir of the configuration names one';
  throw new CannotRun(`challenger ${hash} was tried in none of ${counted(checks, 'check')}; ${tried}`);
}

/** The part of a report that is on `what`: the challenger, or one rule. */
function narrowed(report: ShadowReport, what: string): ShadowReport {
  if (what === CHALLENGER) return { ...report, rules: [] };
  const rules = report.rules.filter(({ id }) => id === what);
  return { ...report, challenger: null, other_challengers: [], rules };
}

/** Exit code 1 when a criterion does not hold. Throws CannotRun when that is unknown: a guard without data must not pass. */
function judge(shell: Shell, { challenger, rules }: ShadowReport): void {
  const tried = [...rules, ...(challenger ? [challenger] : [])];
  const standing = worstOf(tried.map(({ promotion }) => promotion.standing));
  if (standing === 'fails') shell.exitCode = 1;
  if (standing === 'untold') {
    throw new CannotRun('it cannot be told whether all criteria hold: more days or labels are needed');
  }
}

/** Prints what was tried, what it would have turned, and which criteria hold. `what`: the report is narrowed to it. */
function printShadow(shell: Shell, report: ShadowReport, what?: string): void {
  const { challenger, other_challengers: others, rules, caveats } = report;
  const blocks = [
    ...(challenger ? [describeChallenger(shell, challenger)] : []),
    ...(others.length > 0 ? [renderOthers(shell, others)] : []),
    ...rules.map((rule) => describeRule(shell, rule)),
    renderCaveats(shell, caveats),
  ];
  if (!challenger && rules.length === 0) {
    const missing = [
      'no challenger was tried on live traffic',
      ...(what === undefined ? ['and no rule has mode: shadow'] : []),
    ];
    blocks.unshift(`${counted(report.checks, 'check')}, and nothing to report on: ${missing.join(', ')}`);
  }
  printBlocks(shell, blocks);
}

function describeChallenger(shell: Shell, report: ChallengerReport): string {
  const { ruleset, checks, agreement, scores, recall, false_positive_rate, flips, promotion } = report;
  const { same, higher, lower, mean_difference: mean } = scores;
  return [
    shell.paint('bold', `challenger ${ruleset}`),
    describeChecks(checks, report, 'judged'),
    `agrees in ${describeShare(agreement)}; scores: ${whole(same)} the same, ${whole(higher)} higher, ${whole(lower)} lower, ${signed(mean ?? 0)} on average`,
    ...(checks.good + checks.bad === 0
      ? []
      : [
          `blocks ${describeShare(recall.challenger)} of the bad, where ${describeShare(recall.answered)} were`,
          `blocks ${describeShare(false_positive_rate.challenger)} of the good, where ${describeShare(false_positive_rate.answered)} were`,
        ]),
    ...describeFlips(shell, flips),
    renderPromotion(shell, promotion, 'a hit is a BLOCK'),
  ].join('\n');
}

function renderOthers(shell: Shell, others: readonly SeenChallenger[]): string {
  const rows = others.map(({ ruleset, checks, first, last }) => [
    ruleset,
    whole(checks),
    dayOf(first),
    dayOf(last),
  ]);
  return renderTable(shell, { headings: ['other challengers', '>checks', 'first', 'last'], rows });
}

const MIRRORED = 'it takes points away, so good and bad change places';

function describeRule(shell: Shell, report: ShadowRuleReport): string {
  const { id, group, points, rollout, checks, fires, by_label, precision, s_o, flips } = report;
  const part = rollout === null ? '' : `, rolled out to ${rollout.percent} %`;
  const title = shell.paint('bold', printable(`rule ${id} (${group}, ${signed(points)})${part}`));
  if (checks.total === 0) return `${title}\nnot tried yet: the service tries it once it has loaded it`;
  return [
    title,
    describeChecks(checks, report, rollout === null ? 'tried' : 'tried on people outside'),
    `fires in ${describePercent({ value: fires.count / fires.of, interval: [fires.low, fires.high] })}: ${describeCounts(by_label)}; precision ${describeShare(precision)}, S/O ${figure(s_o)}`,
    rollout === null ? 'were it live:' : 'did it count for them too:',
    ...describeFlips(shell, flips),
    ...(flips.untold === 0
      ? []
      : [`  ${whole(flips.untold)} more cannot be told: their records do not keep all that it saw`]),
    renderPromotion(shell, report.promotion, report.is_mirrored ? MIRRORED : ''),
  ].join('\n');
}

function describeChecks(checks: CheckCounts, { first, last }: Span, how: string): string {
  const censored =
    checks.censored === 0 ? '' : `; ${whole(checks.censored)} of these were blocked and have no outcome`;
  return `${how} in ${counted(checks.total, 'check')}, ${dayOf(first)} to ${dayOf(last)}: ${describeCounts(checks)}${censored}`;
}

function describeFlips(shell: Shell, flips: Readonly<Record<FlipDirection, ShadowFlips>>): readonly string[] {
  return (['to_block', 'to_allow'] as const).flatMap((direction) => {
    const { counts, examples } = flips[direction];
    const title = `  ${describeFlipCounts(direction, counts)}`;
    if (examples.length === 0) return [title];
    const rows = examples.map(({ id, created_at, domain, label, from, to }) => [
      id,
      created_at,
      domain,
      label,
      `${from.risk_score} ${from.risk_level} → ${to.risk_score} ${to.risk_level}`,
    ]);
    const headings = ['check', 'at', 'domain', 'label', 'score'];
    return [title, indent(indent(renderTable(shell, { headings, rows })))];
  });
}

const CRITERIA: Readonly<Record<CriterionResult['criterion'], string>> = {
  s_o: 'S/O',
  hits: 'hits',
  false_positives: 'good that it hits',
};
const STANDINGS: Readonly<Record<Standing, { readonly text: string; readonly style: Style }>> = {
  holds: { text: 'holds', style: 'green' },
  fails: { text: 'does not hold', style: 'red' },
  untold: { text: 'cannot be told', style: 'yellow' },
};

function renderPromotion(shell: Shell, { standing, criteria }: Promotion, remark: string): string {
  const rows = criteria.map((result) => [
    CRITERIA[result.criterion],
    `${result.criterion === 'false_positives' ? 'at most' : 'at least'} ${describeLimit(result)}`,
    describeFigure(result, result.overall),
    describeFigure(result, result.latest),
    result.worst
      ? `${describeFigure(result, result.worst)}, ${result.worst.day}${result.worst.few ? ', too few' : ''}`
      : '–',
    `${result.days.judged} of ${result.days.needed}`,
    STANDINGS[result.standing],
  ]);
  const { text, style } = STANDINGS[standing];
  return [
    `promotion: ${shell.paint(style, text)}${remark === '' ? '' : ` (${remark})`}`,
    indent(
      renderTable(shell, {
        headings: ['criterion', 'each day', 'overall', 'latest days', 'worst day', 'days', ''],
        rows,
      }),
    ),
  ].join('\n');
}

function describeLimit({ criterion, limit }: CriterionResult): string {
  return criterion === 's_o' ? String(limit) : `${fine(limit)} %`;
}

function describeFigure({ criterion }: CriterionResult, shown: Figure | null): string {
  if (shown === null) return '–';
  return criterion === 's_o' ? figure(shown.value) : describePercent(shown);
}

function describePercent({ value, interval: [low, high] }: Figure): string {
  return `${fine(value)} % (${fine(low)} to ${fine(high)})`;
}

/** In per cent, to two decimals: a criterion may be about 0.02 %. */
function fine(share: number): string {
  return String(Math.round(share * 10_000) / 100);
}

function dayOf(instant: string | null): string {
  return instant === null ? '–' : instant.slice(0, 10);
}
