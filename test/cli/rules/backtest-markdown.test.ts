import { describe, expect, it } from 'vitest';
import { renderBacktestMarkdown } from '../../../src/cli/rules/backtest-markdown.ts';
import type { BacktestReport } from '../../../src/rule-lab/backtest/run-backtest.ts';
import { caseOf } from '../../rule-lab/backtest/cases.ts';
import { aReport, HEAVIER, MIXED, unlabelled, type Wanted } from '../../rule-lab/backtest/reports.ts';

const markdownOf = async (wanted: Wanted = {}) => renderBacktestMarkdown(await aReport(wanted), []);

/** Blocks of lines, by their heading. */
function sections(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^#{2,3} /m).slice(1);
  return new Map(parts.map((part) => [part.split('\n')[0] ?? '', part.slice(part.indexOf('\n')).trim()]));
}

function section(text: string, heading: string): string {
  const found = sections(text).get(heading);
  if (found === undefined) throw new Error(`there is no section ${heading}`);
  return found;
}

/** Tables as rows of cells, split as GitHub does: at pipes without a preceding backslash. */
function tables(text: string): readonly (readonly (readonly string[])[])[] {
  return (text.match(/(?:^\|.*\n?)+/gm) ?? []).map((table) =>
    table
      .trim()
      .split('\n')
      .map((row) =>
        row
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim()),
      ),
  );
}

describe('the Markdown of a backtest', () => {
  it('names what was compared, by directory and by hash, and the cases', async () => {
    const report = await aReport();
    const text = section(renderBacktestMarkdown(report, []), 'Backtest: rules → draft');
    expect(tables(text)).toEqual([
      [
        ['', 'directory', 'rule set'],
        ['---', '---', '---'],
        ['in force', 'rules', report.rule_sets.base.ruleset],
        ['candidate', 'draft', report.rule_sets.candidate.ruleset],
      ],
    ]);
    expect(text).toContain('34 recorded checks, 2026-11-01 to 2026-11-09: 20 good, 10 bad, 4 unlabelled');
  });

  it('has the numbers of both sets, and shares with their intervals', async () => {
    const [confusion, shares] = tables(section(await markdownOf(), 'Decisions'));
    expect(confusion).toEqual([
      ['', 'in force: ALLOW', 'BLOCK', 'candidate: ALLOW', 'BLOCK'],
      ['---', '---:', '---:', '---:', '---:'],
      ['good', '20', '0', '18', '2'],
      ['bad', '7', '3', '0', '10'],
      ['unlabelled', '4', '0', '1', '3'],
    ]);
    expect(shares).toContainEqual([
      'good that are blocked (false positives)',
      '0.0 % (0.0 to 16.1)',
      '10.0 % (2.8 to 30.1)',
    ]);
    expect(shares).toContainEqual([
      'bad that are blocked (recall)',
      '30.0 % (10.8 to 60.3)',
      '100.0 % (72.3 to 100.0)',
    ]);
    expect(shares?.at(-1)?.[0]).toBe('area under the ROC curve of the score');
  });

  it('groups changed decisions by the change in the rules, with examples and the reason of the first', async () => {
    const text = await markdownOf({ candidate: HEAVIER });
    const flips = section(text, 'ALLOW → BLOCK: 1 (0 good, 0 bad, 1 unlabelled)');
    const [reasons, examples, ledger] = tables(flips);
    expect(reasons).toEqual([
      ['why', 'cases', 'good', 'bad', 'unlabelled'],
      ['---', '---:', '---:', '---:', '---:'],
      ['role +20 → +75', '1', '0', '0', '1'],
    ]);
    expect(examples?.slice(2)).toEqual([
      ['chk_role_0', '2026-11-01T08:00:00.000Z', 'role.example', '', '20 → 75', 'role +20 → +75'],
    ]);
    expect(ledger?.slice(2)).toEqual([
      ['rule', 'role', 'a', '+75', 'domain.is_role_account=true'],
      ['level', 'level_high', '', '0', 'high: risk_score=75'],
      ['action', 'block', '', '0', 'BLOCK: risk_score=75'],
      ['sum', '', '', '75', ''],
    ]);
    expect(section(text, 'BLOCK → ALLOW: none')).toBe('');
  });

  it('shows some of the examples of a reason, folds ledgers, and says what is left out', async () => {
    const cases = Array.from({ length: 11 }, (_, index) =>
      caseOf(`chk_${index}`, { 'domain.is_known_disposable': true }),
    );
    const flips = section(
      await markdownOf({ cases, examples: 11 }),
      'ALLOW → BLOCK: 11 (0 good, 0 bad, 11 unlabelled)',
    );
    expect(tables(flips)[1]?.slice(2)).toHaveLength(3);
    // A blank line on either side: GitHub then reads the table inside as one.
    expect(flips.match(/^<details><summary>.*<\/summary>\n\n/gm)).toHaveLength(1);
    expect(flips.match(/\n\n<\/details>$/gm)).toHaveLength(1);
    const report = await aReport();
    const group = report.flips.to_block.groups[0];
    if (!group) throw new Error('nothing flips');
    const groups = Array.from({ length: 23 }, (_, index) => ({
      ...group,
      fired: { only_base: [], only_candidate: [`rule_${index}`] },
    }));
    const many = { ...report, flips: { ...report.flips, to_block: { ...report.flips.to_block, groups } } };
    expect(renderBacktestMarkdown(many, [])).toContain('… 3 reasons more: `--json`');
  });

  it('has no examples when none were asked for', async () => {
    const text = await markdownOf({ examples: 0 });
    const flips = section(text, 'ALLOW → BLOCK: 12 (2 good, 7 bad, 3 unlabelled)');
    expect(tables(flips)).toHaveLength(1);
    expect(flips).not.toContain('details');
  });

  it('shows the results of each rule, decisive hits under both sets, and rules that never fired', async () => {
    const rules = section(await markdownOf(), 'Rules');
    const [table] = tables(rules);
    expect(table?.[0]).toEqual([
      'rule',
      'points',
      'fires',
      'precision',
      'S/O',
      'decisive: in force',
      'candidate',
      'alone',
      'unknown',
    ]);
    expect(table?.slice(2).map(([first]) => first)).toEqual(['throw_away', 'free (new)', 'role (gone)']);
    expect(table?.[2]).toEqual([
      'throw_away',
      '60',
      '44.1 %',
      '83.3 % (55.2 to 95.3)',
      '0.909',
      '3',
      '15',
      '15',
      '0',
    ]);
    expect(rules).toContain('never fired: silent');
  });

  it('marks the threshold of the candidate and the one with the lowest cost', async () => {
    const thresholds = section(await markdownOf({ costRatio: 5 }), 'Thresholds');
    expect(thresholds).toContain('If a good signup turned away costs as much as 5 bad ones let in');
    const [table] = tables(thresholds);
    expect(table?.slice(2).map(([from]) => Number(from))).toEqual(
      expect.arrayContaining([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]),
    );
    expect(table).toContainEqual([
      '50',
      '2',
      '10',
      '3',
      expect.any(String),
      expect.stringMatching(/^the candidate's/),
    ]);
    expect(table?.filter(([, , , , , remark]) => remark?.includes('cheapest'))).toHaveLength(1);
  });

  it('lists the limits of the figures, including censored cases', async () => {
    const recorded = { action: 'BLOCK', score: 90, level: 'high', ruleset: 'another' } as const;
    const text = await markdownOf({
      cases: [...MIXED, caseOf('chk_c', {}, { recorded })],
      caveats: ['signals.yaml differs'],
    });
    expect(text).toContain('5 unlabelled; 1 of these were blocked then and have no outcome');
    expect(text).toMatch(/^- \*\*note:\*\* signals\.yaml differs$/m);
  });

  it('shows the conditions of --fail-on, and their results', async () => {
    const text = renderBacktestMarkdown(await aReport(), [
      { policy: 'flips > 3', measured: 12, is_breached: true },
      { policy: 'recall < 60%', measured: 0.7123, is_breached: false },
      { policy: 'precision < 1', measured: null, is_breached: null },
    ]);
    expect(text.split('\n').filter((line) => line.includes('--fail-on'))).toEqual([
      '- ❌ --fail-on flips \\> 3: breached, it is 12',
      '- --fail-on recall \\< 60%: not so, it is 0.7123',
      '- --fail-on precision \\< 1: no labelled case tells',
    ]);
  });

  it('of unlabelled cases says what labels would show', async () => {
    const text = await markdownOf({ cases: unlabelled() });
    expect(text).toContain('0 good, 0 bad, 34 unlabelled');
    expect(tables(section(text, 'Decisions'))[1]).toContainEqual(['bad that are blocked (recall)', '–', '–']);
    expect(section(text, 'Thresholds')).toContain('Which threshold is best needs labels of both kinds');
    expect(text).not.toContain('cheapest');
  });

  const REPORTS: readonly [string, () => Promise<BacktestReport>][] = [
    ['labels', () => aReport({ caveats: ['a caveat'], costRatio: 5 })],
    ['no labels', () => aReport({ cases: unlabelled() })],
    ['no case', () => aReport({ cases: [] })],
  ];

  it.each(REPORTS)(
    'of %s has complete tables, no undefined value, and the same bytes each time',
    async (_, make) => {
      const text = renderBacktestMarkdown(await make(), []);
      expect(renderBacktestMarkdown(await make(), [])).toBe(text);
      expect(text).not.toMatch(/undefined|NaN|\bnull\b|Infinity|\[object/);
      expect(tables(text).length).toBeGreaterThan(3);
      for (const table of tables(text)) {
        expect(new Set(table.map((row) => row.length)).size).toBe(1);
        expect(table[1]?.every((cell) => /^---:?$/.test(cell))).toBe(true);
      }
    },
  );
});

const ATTACKS = [
  '<script>alert(1)</script>',
  '</summary></details><h1>ha</h1>',
  '| a | b |\n|---|---|',
  '\\| \\\\|',
  '`code` ``more``',
  '[text](https://evil.example) ![](http://evil.example/x.png)',
  'https://evil.example www.evil.example //evil.example',
  '@octocat and a@b.example',
  '**bold** __bold__ ~~gone~~ $x^2$ :smile:',
  '\n# heading\n\n- list',
  '&lt;b&gt; &#60;b&#62;',
  '\u202etxt.exe\u0000',
];

/** Words of closed lists: the types of a report allow no other value there. */
const CLOSED = ['kind', 'action', 'label', 'level', 'mode', 'created_at', 'first', 'last'];

/** The value with the given text appended to each string in it, and to each name of a fact. */
function spoil(value: unknown, text: string, key = ''): unknown {
  if (typeof value === 'string') return CLOSED.includes(key) ? value : `${value}${text}`;
  if (Array.isArray(value)) return value.map((item) => spoil(item, text, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      key === 'saw' ? `${name}${text}` : name,
      spoil(item, text, name),
    ]),
  );
}

it.each(ATTACKS)('the Markdown of a report with %j in every text has the same structure', async (attack) => {
  const plain = await aReport({ caveats: ['a caveat'], source: { kind: 'file', name: 'signups.csv' } });
  const policies = (text: string) => [{ policy: `flips > 1${text}`, measured: 1, is_breached: false }];
  const text = renderBacktestMarkdown(spoil(plain, attack) as BacktestReport, policies(attack));
  const expected = renderBacktestMarkdown(plain, policies(''));
  // No line, cell or tag more than in a report without that text.
  expect(text.split('\n')).toHaveLength(expected.split('\n').length);
  const shape = (markdown: string) => tables(markdown).map((table) => table.map((row) => row.length));
  expect(shape(text)).toEqual(shape(expected));
  const withoutEscapes = text.replace(/\\[^\p{L}\p{N}\s]/gu, '').replaceAll('@<!-- -->', '@ ');
  const tags = (markdown: string) => markdown.replaceAll('<br>', '').match(/<[^>]*>/g);
  expect(tags(withoutEscapes)).toEqual(tags(expected));
  const markup = withoutEscapes.replaceAll('**note:**', '').replaceAll('`--json`', '');
  expect(markup).not.toMatch(/[`*[\]~$&\0\u202e]|@\w|https?:|www\.|:smile:|__/);
});
