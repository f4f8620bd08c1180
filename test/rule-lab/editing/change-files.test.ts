import { describe, expect, it } from 'vitest';
import { changeFiles } from '../../../src/rule-lab/editing/drafts.ts';

describe('changes of files', () => {
  it('put, replace and take away, and leave the rest', () => {
    const before = { 'a.yaml': 'a', 'b.yaml': 'b', 'tests/a.yaml': 't' };
    expect(changeFiles(before, { 'b.yaml': null, 'a.yaml': 'A', 'tests/n.yaml': 'n' })).toEqual({
      ...{ 'a.yaml': 'A', 'tests/a.yaml': 't', 'tests/n.yaml': 'n' },
    });
  });

  it.each([
    ...['../a.yaml', '/etc/a.yaml', 'tests/../../a.yaml', 'tests/x/a.yaml', 'other/a.yaml', '.a.yaml'],
    ...['tests/.a.yaml', 'a.yml', 'a', '', 'a\n.yaml', 'a.yaml\n', `${'a'.repeat(101)}.yaml`, '..yaml'],
  ])('refuse the path %j, which a reading would not find or which leads elsewhere', (path) => {
    expect(() => changeFiles({}, { [path]: '' })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: [expect.objectContaining({ path: `body/files/${path}` })],
      }),
    );
  });

  it('refuse more than a directory of rules can sensibly hold', () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`f${n}.yaml`, '']));
    for (const changes of [many, { 'a.yaml': 'ä'.repeat(2_000_001) }]) {
      expect(() => changeFiles({}, changes)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    }
    expect(Object.keys(changeFiles(many, { 'f0.yaml': null }))).toHaveLength(200);
  });
});
