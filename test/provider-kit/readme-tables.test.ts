import { describe, expect, it } from 'vitest';
import { withDeclared } from '../../src/provider-kit/testing/index.ts';
import { aLocalProvider } from '../support/providers.ts';

const plain = aLocalProvider('x');
const options = { properties: { a: { default: 1, description: 'An option.' } } };
const README = withDeclared('', plain);

describe('withDeclared', () => {
  it.each([
    ['with a line break in the description', '', { description: 'One\nand two.\r\n' }],
    ['with CRLF', README.replaceAll('\n', '\r\n'), {}],
    ['with no blank line under its title', README.replace('\n\n', '\n'), {}],
    ['with a title alone', '# x\n\n## Facts\n', {}],
  ])('does not change a README twice: %s', (_what, before, more) => {
    const provider = { ...plain, ...more };
    const after = withDeclared(before, provider);
    expect(after.match(/^# /gm)).toHaveLength(1);
    expect(after.match(/^## Facts/gm)).toHaveLength(1);
    expect(withDeclared(after, provider)).toBe(after);
  });

  it('keeps the line ends of CRLF', () => {
    const before = README.replaceAll('\n', '\r\n');
    expect(withDeclared(before, plain)).toBe(before);
  });

  it('removes the table of an option that is no longer declared, and no text of the author', () => {
    const declared = withDeclared(README, { ...plain, options });
    expect(withDeclared(declared, plain)).toBe(README);
    const own = declared.replace('## Options\n', '## Options\n\nMine.\n').concat('\n# More\n\nText.\n');
    const without = withDeclared(own, plain);
    expect(without).toContain('## Options\n\nMine.\n');
    expect(without).not.toContain('An option.');
    expect(without).toContain('\n# More\n\nText.\n');
    const table = `${without}\n## Thresholds\n\n| of mine | is |\n|---|---|\n| \`b\` | c |\n`;
    expect(withDeclared(table, plain)).toBe(table);
  });
});
