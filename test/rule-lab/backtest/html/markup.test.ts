import { describe, expect, it } from 'vitest';
import { compact, html, raw } from '../../../../src/rule-lab/backtest/html/markup.ts';
import { all, attribute, plain, read } from './page.ts';

const HOSTILE = `"><script>alert('x')</script>&lt;`;

describe('html', () => {
  it('escapes what could end a text or an attribute', () => {
    expect(String(html`<a title="${HOSTILE}">${HOSTILE}</a>`)).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;lt;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;lt;</a>',
    );
  });

  it('gives back to the reader of the page exactly what was put in', () => {
    const page = read(`<!DOCTYPE html><title>t</title>${html`<p title="${HOSTILE}">${HOSTILE}</p>`}`);
    const [paragraph] = all(page, 'p');
    expect(paragraph && plain(paragraph)).toBe(HOSTILE);
    expect(paragraph && attribute(paragraph, 'title')).toBe(HOSTILE);
    expect(all(page, 'script')).toEqual([]);
  });

  it('takes fragments of its own as they are, and lists part by part', () => {
    expect(String(html`<ul>${['a', '<b>'].map((item) => html`<li>${item}</li>`)}</ul>`)).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
    );
    expect(String(html`${raw('<hr>')}${['<', 1]}`)).toBe('<hr>&lt;1');
  });

  it('leaves nothing of null, undefined and false, and shows 0', () => {
    expect(String(html`[${null}${undefined}${false}${0}]`)).toBe('[0]');
  });

  it('does not take an object that looks like a fragment for one', () => {
    const forged = { toString: () => '<script>' } as unknown as string;
    expect(() => String(html`${forged}`)).toThrow(TypeError);
  });

  it.each([
    ['a direction mark', 'gro.\u202eelpmaxe', 'gro.\\u{202e}elpmaxe'],
    ['a blank without width', 'pay\u200bpal', 'pay\\u{200b}pal'],
    ['a NUL', 'a\0b', 'a\\u{0}b'],
    ['a line end', 'a\nb', 'a\\u{a}b'],
  ])('makes %s visible', (_, text, shown) => {
    expect(String(html`${text}`)).toBe(shown);
  });
});

describe('compact', () => {
  it('takes the indentation of templates away and no blank inside of a line', () => {
    expect(
      compact(html`
      <p>a  b
        c</p>
    `),
    ).toBe('<p>a  b\nc</p>\n');
  });
});
