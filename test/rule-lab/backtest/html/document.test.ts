import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renderBacktestHtml } from '../../../../src/rule-lab/backtest/html/render-backtest-html.ts';
import type { BacktestReport } from '../../../../src/rule-lab/backtest/report.ts';
import { all, attribute, plain, read, textOf } from './page.ts';
import { aReport, unlabelled } from './reports.ts';

const REPORTS: readonly [string, () => Promise<BacktestReport>][] = [
  ['labels', () => aReport({ caveats: ['a caveat'], costRatio: 5 })],
  ['no labels', () => aReport({ cases: unlabelled() })],
  ['no case', () => aReport({ cases: [] })],
];

describe.each(REPORTS)('the page of a report with %s', (kind, make) => {
  it('is HTML that a browser need not mend', async () => {
    expect(read(renderBacktestHtml(await make())).faults).toEqual([]);
  });

  it('allows itself its own style sheet, by hash, and nothing else', async () => {
    const page = read(renderBacktestHtml(await make()));
    const [style, ...more] = all(page, 'style');
    expect(more).toEqual([]);
    const hash = createHash('sha256')
      .update(style ? textOf(style) : '')
      .digest('base64');
    const policy = all(page, 'meta').find((meta) => attribute(meta, 'http-equiv') !== undefined);
    expect(policy && attribute(policy, 'content')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
  });

  it('asks nothing of anybody: no script, no address, no style of an element', async () => {
    const text = renderBacktestHtml(await make());
    const page = read(text);
    const tags = new Set(page.elements.map(({ tagName }) => tagName));
    for (const tag of [
      'script',
      'link',
      'img',
      'iframe',
      'object',
      'embed',
      'form',
      'base',
      'image',
      'use',
    ]) {
      expect(tags).not.toContain(tag);
    }
    expect(text).not.toMatch(/\bhttps?:|\/\/[a-z]|url\(|@import|javascript:/i);
    const attributes = page.elements.flatMap(({ attrs }) => attrs);
    expect(
      attributes.filter(({ name }) => name.startsWith('on') || name === 'style' || name === 'src'),
    ).toEqual([]);
    const links = attributes.filter(({ name }) => name.endsWith('href')).map(({ value }) => value);
    expect(links.filter((link) => !/^#[a-z]+$/.test(link))).toEqual([]);
  });

  it('is the same, octet for octet, for the same report', async () => {
    expect(renderBacktestHtml(await make())).toBe(renderBacktestHtml(await make()));
  });

  it('names each thing once, and every reference leads somewhere', async () => {
    const page = read(renderBacktestHtml(await make()));
    const ids = page.elements.flatMap((element) => attribute(element, 'id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const references = page.elements.flatMap((element) => [
      ...(attribute(element, 'aria-labelledby')?.split(' ') ?? []),
      ...(attribute(element, 'href')?.slice(1).split(' ') ?? []),
    ]);
    expect(references.length).toBeGreaterThan(2);
    expect(references.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('has one first heading and skips no rank', async () => {
    const ranks = read(renderBacktestHtml(await make())).elements.flatMap(({ tagName }) =>
      /^h[1-6]$/.test(tagName) ? [Number(tagName[1])] : [],
    );
    expect(ranks.filter((rank) => rank === 1)).toEqual([1]);
    for (const [place, rank] of ranks.entries())
      expect(rank).toBeLessThanOrEqual((ranks[place - 1] ?? 0) + 1);
  });

  it('says of each plot in words what it shows, and lets the keyboard into what scrolls', async () => {
    const page = read(renderBacktestHtml(await make()));
    const plots = all(page, 'svg').filter((each) => attribute(each, 'role') === 'img');
    expect(plots.length > 0).toBe(kind !== 'no case');
    for (const svg of plots) {
      const [title, text] = svg.childNodes.filter((node) => 'tagName' in node).map(plain);
      expect(title).not.toBe('');
      expect(text).not.toBe('');
      expect(`${title} ${text}`).not.toMatch(/undefined|NaN|null|\[object/);
    }
    for (const box of all(page, 'div', 'scroll')) {
      expect(attribute(box, 'tabindex')).toBe('0');
      expect(attribute(box, 'aria-label')).toMatch(/\w/);
    }
  });

  it('shows no value that is none', async () => {
    const page = read(renderBacktestHtml(await make()));
    const [body] = all(page, 'body');
    expect(body && plain(body)).not.toMatch(/undefined|NaN|\bnull\b|Infinity|\[object/);
    const numbers = page.elements.flatMap(({ attrs }) => attrs.map(({ value }) => value));
    expect(numbers.filter((value) => /NaN|undefined|Infinity/.test(value))).toEqual([]);
  });
});

const ATTACKS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><script>alert(1)</script>',
  '</style></svg></details><h1>ha</h1>',
  '<!--',
  ']]>',
  '&#60;b&#62;',
  '\u202etxt.exe',
];

/** Words of closed lists: the types of a report leave nothing else there. */
const CLOSED = ['kind', 'action', 'label', 'level', 'mode'];

/** The value with the text behind each string in it, and behind each name of a fact. */
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

describe('a page whose report is hostile in every string of it', () => {
  const attackedBy = async (text: string) => {
    const report = spoil(await aReport({ caveats: ['a caveat'] }), text) as BacktestReport;
    return renderBacktestHtml(report, [{ policy: `flips > 1${text}`, measured: 1, is_breached: false }]);
  };
  const shapeOf = (text: string) =>
    read(text).elements.map(({ tagName, attrs }) => [tagName, ...attrs.map(({ name }) => name)].join(' '));

  it.each(ATTACKS)('has the elements and attributes of a harmless one: %j', async (attack) => {
    const text = await attackedBy(attack);
    expect(read(text).faults).toEqual([]);
    expect(shapeOf(text)).toEqual(shapeOf(await attackedBy('harmless')));
  });

  it('shows the text itself, wherever it stands', async () => {
    const attack = '<script>alert(1)</script>';
    const page = read(await attackedBy(attack));
    const [title] = all(page, 'title');
    expect(title && plain(title)).toBe(`Backtest: draft${attack} beside rules${attack}`);
    const [body] = all(page, 'body');
    const shown = body ? plain(body) : '';
    for (const text of [
      'chk_unlucky_0',
      'unlucky.example',
      'throw_away',
      'data/postern.db',
      'a caveat',
      'flips > 1',
    ]) {
      expect(shown).toContain(`${text}${attack}`);
    }
    expect(shown).toContain(`domain.is_known_disposable${attack}=true`);
  });
});
