import { describe, expect, it } from 'vitest';
import { renderBacktestHtml } from '../../../../src/rule-lab/backtest/html/render-backtest-html.ts';
import { caseOf } from '../cases.ts';
import { all, attribute, elementsIn, type Page, plain, read, rowsOf, section } from './page.ts';
import { aReport, HEAVIER, MIXED, unlabelled, type Wanted } from './reports.ts';

const pageOf = async (wanted: Wanted = {}): Promise<Page> => read(renderBacktestHtml(await aReport(wanted)));
const within = (page: Page, id: string): Page => ({ elements: elementsIn(section(page, id)), faults: [] });

describe('the opening', () => {
  it('says what was compared with what, on which cases', async () => {
    const report = await aReport();
    const facts = all(within(read(renderBacktestHtml(report)), 'compared'), 'div').map(plain);
    expect(facts).toEqual([
      `Rules in force rules ${report.rule_sets.base.ruleset}`,
      `Candidate draft ${report.rule_sets.candidate.ruleset}`,
      'Cases 34 recorded checks of data/postern.db',
      'Period 2026-11-01 08:00 to 2026-11-09 08:00, UTC',
      'Labels 20 good (58.8 %), 10 bad (29.4 %), 4 unlabelled (11.8 %)',
      'Replay none of these checks was answered by exactly the rules in force, so nothing could be compared with what was answered then',
    ]);
  });

  it('tells first how many signups flip, each way, by label', async () => {
    const page = await pageOf();
    const [lead] = all(page, 'p', 'lead');
    expect(lead && plain(lead)).toBe(
      'Of 34 recorded checks the candidate decides 12 (35.3 %) otherwise than the rules in force.',
    );
    const [tiles] = all(page, 'ul', 'tiles');
    expect(
      tiles &&
        elementsIn(tiles)
          .filter(({ tagName }) => tagName === 'li')
          .map(plain),
    ).toEqual([
      '12 newly blocked 2 good turned away, 7 bad caught, 3 unlabelled',
      '0 newly let in no case',
      '22 as before same action under both',
    ]);
  });

  it('puts what keeps the figures from being the whole truth into a box, the censored with it', async () => {
    const censored = caseOf(
      'chk_c',
      {},
      {
        recorded: { action: 'BLOCK', score: 90, level: 'high', ruleset: 'another' },
      },
    );
    const page = await pageOf({ cases: [...MIXED, censored], caveats: ['signals.yaml differs'] });
    expect(all(within(page, 'caveats'), 'li').map(plain)).toEqual([
      'signals.yaml differs',
      '1 unlabelled case was answered BLOCK at the time: nobody knows what would have become of them, and no share of labelled cases counts them',
    ]);
    expect(() => section({ elements: [], faults: [] }, 'caveats')).toThrow();
  });

  it('has no such box when there is nothing to say', async () => {
    expect(all(await pageOf(), 'aside')).toEqual([]);
  });

  it.each([
    [
      { same: 3, differing: 0 },
      '3 checks answered by exactly these rules in force: each comes out the same again',
    ],
    [
      { same: 3, differing: 1 },
      'of 4 checks answered by exactly these rules in force, 1 comes out otherwise now',
    ],
  ])('tells how the replay went: %j', async (replayed, text) => {
    const report = await aReport();
    const page = read(renderBacktestHtml({ ...report, cases: { ...report.cases, replayed } }));
    expect(all(within(page, 'compared'), 'dd').map(plain)).toContain(text);
  });

  it('shows what --fail-on asked for, and what came of it', async () => {
    const page = read(
      renderBacktestHtml(await aReport(), [
        { policy: 'flips > 3', measured: 12, is_breached: true },
        { policy: 'recall < 60%', measured: 0.7123, is_breached: false },
        { policy: 'precision < 1', measured: null, is_breached: null },
      ]),
    );
    const [policies] = all(page, 'ul', 'policies');
    expect(
      policies &&
        elementsIn(policies)
          .filter(({ tagName }) => tagName === 'li')
          .map(plain),
    ).toEqual([
      'breached --fail-on flips > 3 it is 12',
      'kept --fail-on recall < 60% it is 71.2 %',
      'no labelled case tells --fail-on precision < 1',
    ]);
  });
});

describe('the figures', () => {
  it('set both confusion matrices beside each other, the mistakes named', async () => {
    const [base, candidate] = all(within(await pageOf(), 'confusion'), 'table').map(rowsOf);
    expect(base).toEqual([
      ['', 'ALLOW', 'BLOCK'],
      ['good', '20 100 %', '0 0 % turned away'],
      ['bad', '7 70.0 % let in', '3 30.0 %'],
      ['unlabelled', '4 100 %', '0 0 %'],
    ]);
    expect(candidate?.slice(1)).toEqual([
      ['good', '18 −2 90.0 %', '2 +2 10.0 % turned away'],
      ['bad', '0 −7 0 % let in', '10 +7 100 %'],
      ['unlabelled', '1 −3 25.0 %', '3 +3 75.0 %'],
    ]);
  });

  it('have their intervals, in force against candidate, as a plot and as text', async () => {
    const figures = all(within(await pageOf(), 'figures'), 'figure');
    expect(figures.map((figure) => plain(figure).split(' ')[0])).toEqual([
      'Blocked',
      'False',
      'Recall',
      'Precision',
    ]);
    const [, falsePositives] = figures;
    const parts = falsePositives ? elementsIn(falsePositives) : [];
    expect(parts.filter(({ tagName }) => tagName === 'dd').map(plain)).toEqual([
      '0 % 0 to 16.1 % 0 of 20',
      '10.0 % 2.79 to 30.1 % 2 of 20',
    ]);
    expect(parts.filter(({ tagName }) => tagName === 'circle')).toHaveLength(2);
    const [text] = parts.filter(({ tagName }) => tagName === 'desc').map(plain);
    expect(text).toBe('in force 0 %, interval 0 to 16.1 %; candidate 10.0 %, interval 2.79 to 30.1 %');
  });

  it('draw a share on its own scale, where it belongs', async () => {
    const [blocked] = all(within(await pageOf(), 'figures'), 'figure');
    const parts = blocked ? elementsIn(blocked) : [];
    const numbers = (tag: string, name: string) =>
      parts
        .filter((part) => part.tagName === tag && attribute(part, 'class')?.match(/mark|interval/))
        .map((part) => Number(attribute(part, name)));
    const [base, candidate] = numbers('circle', 'cx');
    const [low, lowCandidate] = numbers('line', 'x1');
    const [high, highCandidate] = numbers('line', 'x2');
    expect(low).toBeLessThan(base ?? 0);
    expect(base).toBeLessThan(high ?? 0);
    expect(lowCandidate).toBeLessThan(candidate ?? 0);
    expect(candidate).toBeLessThan(highCandidate ?? 0);
    expect(base).toBeLessThan(candidate ?? 0);
  });
});

describe('the flips', () => {
  it('are grouped by what changed in the rules', async () => {
    const flips = within(await pageOf(), 'flips');
    expect(all(flips, 'h3').map(plain)).toEqual(['ALLOW → BLOCK: 12 cases', 'BLOCK → ALLOW: 0 cases']);
    const [summary] = all(flips, 'summary');
    expect(summary && plain(summary)).toBe('12 BLOCK from 50, not 70 2 good 7 bad 3 unlabelled');
    expect(all(flips, 'p').map(plain)).toContain(
      'The candidate allows nothing that the rules in force block.',
    );
  });

  it('name a rule whose points changed, and not the threshold that did not', async () => {
    const flips = within(await pageOf({ candidate: HEAVIER }), 'flips');
    expect(all(flips, 'code', 'part').map(plain)).toEqual(['role +20 → +75']);
  });

  it('show some cases with both ledgers line by line, what differs marked, and the score as their sum', async () => {
    const flips = within(await pageOf({ candidate: HEAVIER }), 'flips');
    const [ledger] = all(flips, 'table', 'ledger');
    expect(ledger && rowsOf(ledger)).toEqual([
      ['entry', 'rule or group', 'in force', 'candidate', 'because'],
      ['rule', 'role', '+20', '+75', 'domain.is_role_account=true'],
      ['level', 'level_high', '0', '0', 'in force low: risk_score=20 candidate high: risk_score=75'],
      ['action', 'block', '0', '0', 'in force ALLOW: risk_score=20 candidate BLOCK: risk_score=75'],
      ['score', '20', '75', ''],
    ]);
    expect(all(flips, 'tr', 'changed')).toHaveLength(3);
    expect(all(flips, 'summary').map(plain)).toContain(
      'chk_role_0 role.example, 2026-11-01 08:00 UTC unlabelled',
    );
  });

  it('draw how each score comes about, in words too', async () => {
    const flips = within(await pageOf({ candidate: HEAVIER }), 'flips');
    expect(all(flips, 'desc').map(plain)).toEqual(['role +20, score 20', 'role +75, score 75']);
    const bars = all(flips, 'rect', 'sum').map((bar) => Number(attribute(bar, 'width')));
    expect((bars[1] ?? 0) / (bars[0] ?? 1)).toBeCloseTo(75 / 20, 1);
  });

  it('fold all but the first, and still show every one', async () => {
    const cases = Array.from({ length: 11 }, (_, index) =>
      caseOf(`chk_${index}`, { 'domain.is_known_disposable': true }, { domain: `d${index}.example` }),
    );
    const flips = within(await pageOf({ cases, examples: 11 }), 'flips');
    expect(all(flips, 'details', 'example')).toHaveLength(11);
    expect(all(flips, 'summary').map(plain)).toContain('3 cases more');
    expect(all(flips, 'p', 'hint').map(plain)).toContain('All of them, with both ledgers:');
  });

  it('do without examples when none were asked for', async () => {
    const flips = within(await pageOf({ examples: 0 }), 'flips');
    expect(all(flips, 'table')).toEqual([]);
    expect(all(flips, 'summary').map(plain)[0]).toMatch(/^12 BLOCK from 50, not 70/);
  });
});

describe('the rules', () => {
  it('stand with those that the candidate changes first, changed cells marked', async () => {
    const rules = within(await pageOf(), 'rules');
    const [main, silent] = all(rules, 'table').map(rowsOf);
    expect(main?.map(([first]) => first)).toEqual([
      'rule',
      'Changed by the candidate',
      'free new',
      'role gone',
      'Unchanged by the candidate',
      'throw_away',
    ]);
    expect(main?.at(-1)).toEqual([
      'throw_away',
      '+60',
      '44.1 % 28.9 to 60.6 %',
      '2',
      '10',
      '83.3 % 55.2 to 95.3 %',
      '0.909',
      '3 → 15 2 good, 10 bad was 0 good, 3 bad',
      '12 → 15 2 good, 10 bad was 2 good, 7 bad',
      '0',
    ]);
    expect(silent?.map(([first]) => first)).toEqual(['rule', 'Fired on no case', 'silent']);
  });

  it('say so when the candidate changes none', async () => {
    const report = await aReport({ candidate: HEAVIER });
    const same = { ...report, rules: report.rules.map((rule) => ({ ...rule, candidate: rule.base })) };
    const rules = within(read(renderBacktestHtml(same)), 'rules');
    expect(all(rules, 'p').map(plain)).toContain(
      'Each rule fires on the same cases, for the same points, under both sets.',
    );
    expect(all(rules, 'td', 'changed')).toEqual([]);
  });
});

describe('without labels', () => {
  it('teaches what labels would add and how they come, and leaves out what needs them', async () => {
    const page = await pageOf({ cases: unlabelled() });
    const note = plain(section(page, 'labels'));
    expect(note).toContain('Nobody has told yet what became of these signups.');
    expect(note).toContain('postern labels import FILE');
    expect(all(within(page, 'figures'), 'figure')).toHaveLength(1);
    expect(plain(section(page, 'figures'))).toContain(
      'False positives, Recall and Precision need labels, and there are none',
    );
    expect(all(within(page, 'sweep'), 'svg')).toEqual([]);
    expect(plain(section(page, 'sweep'))).toContain('need labels, and there are none');
    expect(all(within(page, 'scores'), 'figure')).toHaveLength(1);
    const [rules] = all(within(page, 'rules'), 'table').map(rowsOf);
    expect(rules?.[0]).toEqual(['rule', 'points', 'fires', 'decisive', 'alone', 'unknown']);
  });

  it('of one kind alone names the one that is missing', async () => {
    const page = await pageOf({
      cases: MIXED.map((one) => ({ ...one, label: one.label === 'good' ? 'good' : null })),
    });
    expect(plain(section(page, 'labels'))).toContain('No case is labelled bad.');
    expect(plain(section(page, 'figures'))).toContain('Recall and Precision need cases labelled bad');
    expect(all(within(page, 'figures'), 'figure')).toHaveLength(2);
    expect(all(within(page, 'sweep'), 'svg')).toEqual([]);
  });

  it('of a file names its columns, since labels are not imported for it', async () => {
    const page = await pageOf({ cases: unlabelled(), source: { kind: 'file', name: 'signups.csv' } });
    const note = plain(section(page, 'labels'));
    expect(note).not.toContain('labels import');
    expect(note).toContain('--columns');
    expect(plain(section(page, 'compared'))).toContain('34 rows of signups.csv');
  });

  it('and without a case shows what was compared and nothing else', async () => {
    const page = await pageOf({ cases: [] });
    expect(all(page, 'h2').map(plain)).toEqual(['What was compared', 'What the words mean']);
    expect(all(page, 'p', 'lead').map(plain)).toEqual(['There was no case to judge by.']);
  });
});
