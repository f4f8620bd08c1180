import { describe, expect, it } from 'vitest';
import { renderLedger } from '../../../src/cli/render/outcome.ts';
import { renderTable } from '../../../src/cli/render/table.ts';
import { Shell } from '../../../src/cli/shell.ts';
import type { LedgerEntry } from '../../../src/rules/decision.ts';
import { sinkOf } from '../world.ts';

const sink = sinkOf(() => undefined);
const shell = new Shell({ stdout: sink, stderr: sink, env: {}, cwd: '/' });

const EVERY_KIND: readonly LedgerEntry[] = [
  { kind: 'force', points: 0, id: 'allowed', action: 'ALLOW', saw: { 'lists.allowed': true } },
  { kind: 'rule', points: 80, id: 'no_mail', group: 'domain', saw: { 'domain.has_mx': false } },
  { kind: 'rule', points: 90, id: 'nowhere', group: 'domain', saw: { 'mx.outcome': 'nxdomain' } },
  { kind: 'absorbed', points: -80, id: 'no_mail', by: 'nowhere' },
  { kind: 'cap', points: -10, group: 'domain', max_score: 80 },
  { kind: 'bound', points: -5, min: 0, max: 100 },
  { kind: 'stood_aside', points: 0, id: 'catch_all', unknown: ['domain.is_catch_all'] },
  { kind: 'shadow', points: 0, id: 'draft', would_add: 7, saw: { 'a.b': null } },
  { kind: 'level', points: 0, id: null, level: 'low', saw: {} },
  { kind: 'action', points: 0, id: 'block', action: 'BLOCK', saw: { risk_score: 75 } },
];

describe('renderTable', () => {
  it('aligns the columns of many rows by the widest of all cells, and has each row once', () => {
    const rows = Array.from({ length: 250 }, (_, n) => [
      'x'.repeat(n === 249 ? 9 : 1),
      n,
      n % 2 ? ['a', 'b'] : 'c',
    ]);
    const lines = renderTable(shell, { headings: ['name', '>n', 'list'], rows }).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'name         n  list',
      'x            0  c',
      'x            1  a',
      '                b',
    ]);
    expect(lines).toHaveLength(1 + 125 + 2 * 125);
    expect(lines.slice(-2)).toEqual(['xxxxxxxxx  249  a', '                b']);
    expect(lines.flatMap((line) => /^x+ +(\d+)/.exec(line)?.[1] ?? [])).toEqual(
      rows.map(([, n]) => String(n)),
    );
  });

  it('renders more rows than fit on the stack as arguments', () => {
    const rows = Array.from({ length: 130_000 }, () => ['x']);
    expect(renderTable(shell, { headings: ['h'], rows }).length).toBe(1 + 2 * 130_000);
  });
});

describe('renderLedger', () => {
  it('shows each kind of entry with the facts that it read, and the sum', () => {
    expect(renderLedger(shell, EVERY_KIND).split('\n')).toEqual([
      'kind         rule       group   points  saw',
      'force        allowed                 0  ALLOW: lists.allowed=true',
      'rule         no_mail    domain     +80  domain.has_mx=false',
      'rule         nowhere    domain     +90  mx.outcome=nxdomain',
      'absorbed     no_mail               -80  replaced by nowhere',
      'cap                     domain     -10  the group counts up to 80',
      'bound                               -5  kept within 0 to 100',
      'stood_aside  catch_all               0  unknown: domain.is_catch_all',
      'shadow       draft                   0  would add +7: a.b=unknown',
      'level                                0  low',
      'action       block                   0  BLOCK: risk_score=75',
      'sum                                 75',
    ]);
  });

  it('shows an empty ledger as a sum of 0', () => {
    expect(renderLedger(shell, [])).toMatch(/\nsum +0$/);
  });
});
