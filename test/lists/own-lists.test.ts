import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListFile } from '../../src/lists/list-file.ts';

const entry = (value: string) => ({ value, reason: 'r', owner: 'o' });

function edited(text: string, edit: (list: ListFile) => void): string {
  const list = new ListFile(text, 'deny.yaml');
  edit(list);
  return list.toString();
}

describe('ListFile', () => {
  it.each([
    ['an empty file', '', '- value: x.org\n  reason: r\n  owner: o\n'],
    ['comments alone', '# One.\n# Two.\n', '# One.\n# Two.\n\n- value: x.org\n  reason: r\n  owner: o\n'],
    ['an empty list', '# One.\n[]\n', '# One.\n- value: x.org\n  reason: r\n  owner: o\n'],
  ])('starts a list in %s', (_, text, expected) => {
    expect(edited(text, (list) => list.add(entry('x.org')))).toBe(expected);
  });

  it('does not break a long reason into lines', () => {
    const reason = 'word '.repeat(60).trim();
    expect(edited('', (list) => list.add({ ...entry('x.org'), reason }))).toContain(`reason: ${reason}\n`);
  });

  it('keeps the line ends of Windows', () => {
    const text = '# Head.\r\n- value: x.org\r\n  reason: r\r\n  owner: o\r\n';
    expect(edited(text, (list) => list.add(entry('y.org')))).toBe(
      `${text}${'- value: y.org\n  reason: r\n  owner: o\n'.replaceAll('\n', '\r\n')}`,
    );
  });

  it('quotes what YAML would read as another type', () => {
    const list = new ListFile('', 'deny.yaml');
    list.add({ value: '1.2e3', reason: 'no', owner: '# not a comment: "at all"' });
    expect(new ListFile(list.toString(), 'deny.yaml').entries).toEqual(list.entries);
  });

  it.each([
    ['a head set off by a blank line', '# Head.\n\n- { value: x.org, reason: r, owner: o }\n'],
    ['a head right above the first entry', '# Head.\n- { value: x.org, reason: r, owner: o }\n'],
    ['a head and a comment', '# Head.\n\n# X.\n- { value: x.org, reason: r, owner: o }\n'],
  ])('keeps %s when the only entry is removed', (_, text) => {
    expect(edited(text, (list) => list.remove('x.org'))).toBe('# Head.\n\n[]\n');
  });

  it('removes the comment directly above an entry with it', () => {
    const text = '- { value: x.org, reason: r, owner: o }\n# Y.\n- { value: y.org, reason: r, owner: o }\n';
    expect(edited(text, (list) => list.remove('y.org'))).toBe('- { value: x.org, reason: r, owner: o }\n');
  });

  it.each(['x.org', 'y.org', 'z.org'])(
    'keeps a comment that a blank line parts from the removed %s',
    (value) => {
      const line = (each: string) => `- { value: ${each}, reason: r, owner: o }\n`;
      const commented = `# Y.\n${line('y.org')}`;
      const text = `# Head.\n\n${line('w.org')}\n# One.\n\n${line('x.org')}\n# Two.\n\n${commented}\n# Three.\n\n${line('z.org')}`;
      const gone = value === 'y.org' ? commented : line(value);
      const result = edited(text, (list) => list.remove(value));
      expect(result).toBe(text.replace(`${gone}\n`, '').replace(`\n${gone}`, ''));
      const beforePlain = `${line('w.org')}# One.\n\n${line(value)}- { value: v.org, reason: r, owner: o }\n`;
      expect(edited(beforePlain, (list) => list.remove(value))).toBe(beforePlain.replace(line(value), ''));
    },
  );

  it('restores after a removal the entries before the addition', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 6 }), fc.string(), (words, reason) => {
        const list = new ListFile('# Head.\n', 'deny.yaml');
        const safe = `r${reason.replace(/[\p{Cc}\p{Cs}]/gu, '')}`;
        for (const value of words) list.add({ value: `${value}.org`, reason: safe, owner: 'o' });
        const reread = new ListFile(list.toString(), 'deny.yaml');
        expect(reread.entries).toEqual(
          words.map((value) => ({ value: `${value}.org`, reason: safe, owner: 'o' })),
        );
        for (const value of words) expect(reread.remove(`${value}.org`)).toBe(true);
        expect(reread.entries).toEqual([]);
        expect(reread.toString()).toContain('# Head.');
      }),
      { numRuns: 50 },
    );
  });
});
