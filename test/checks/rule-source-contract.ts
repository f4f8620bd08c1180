import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type PublishedFiles, type RuleSource, RulesOvertaken } from '../../src/checks/rule-source.ts';
import { digestOf, type RuleFiles } from '../../src/rules/rule-files.ts';
import { eventually } from '../support/eventually.ts';

export const FIRST: RuleFiles = { 'a.yaml': 'group: a\n', 'deny.yaml': '[]\n', 'tests/a.yaml': '[]\n' };
const SECOND: RuleFiles = { 'a.yaml': 'group: a # grün\n', 'b.yaml': 'group: b\n', 'deny.yaml': '[]\n' };
const PUBLISHING = { author: 'jo', restores: null, hash: '0123456789abcdef' };

/** What every source of rules promises. `open` answers sources of one place, in which `FIRST` is published. */
export function describeRuleSource(name: string, open: () => Promise<() => RuleSource>): void {
  const read = async (source: RuleSource): Promise<PublishedFiles> => {
    const published = await source.read();
    if (!published.files) throw new Error(published.faults.join());
    return published;
  };

  describe(`${name} as a source of rules`, () => {
    it('answers every file that is published, and a digest of them', async () => {
      const source = (await open())();
      const { files, digest } = await read(source);
      expect(files).toEqual(FIRST);
      expect(digest).toBe(digestOf(FIRST));
      expect(await source.isWritable()).toBe(true);
    });

    it('puts files in the place of those that are published, for each who reads', async () => {
      const another = await open();
      const [source, other] = [another(), another()];
      await read(other);
      await source.publish(FIRST, SECOND, PUBLISHING);
      expect((await read(source)).files).toEqual(SECOND);
      expect((await read(other)).files).toEqual(SECOND);
      await other.publish(SECOND, FIRST, PUBLISHING);
      expect((await read(source)).files).toEqual(FIRST);
    });

    it('writes nothing over a list that was changed meanwhile, and says so', async () => {
      const another = await open();
      const [source, other] = [another(), another()];
      const changed = { ...FIRST, 'deny.yaml': '- x.example\n' };
      await other.publish(FIRST, changed, PUBLISHING);
      const late = source.publish(FIRST, { ...FIRST, 'deny.yaml': '- y.example\n' }, PUBLISHING);
      await expect(late).rejects.toBeInstanceOf(RulesOvertaken);
      await expect(late).rejects.toThrow(/nothing was written: try again$/);
      expect((await read(source)).files).toEqual(changed);
    });

    it.each(['a.yaml', 'tests/a.yaml'])(
      'writes nothing where a.yaml was changed meanwhile: of %s',
      async (path) => {
        const another = await open();
        const [source, other] = [another(), another()];
        const changed = { ...FIRST, 'a.yaml': 'group: a # theirs\n' };
        await other.publish(FIRST, changed, PUBLISHING);
        const late = source.publish(FIRST, { ...FIRST, [path]: '# mine\n' }, PUBLISHING);
        await expect(late).rejects.toBeInstanceOf(RulesOvertaken);
        expect((await read(source)).files).toEqual(changed);
      },
    );

    it('puts named lists in place, changes them and takes them away', async () => {
      const another = await open();
      const [source, other] = [another(), another()];
      const listed = { ...FIRST, 'lists/a.txt': 'x.example\n', 'lists/b.yaml': 'entries: []\n' };
      await source.publish(FIRST, listed, PUBLISHING);
      expect((await read(other)).files).toEqual(listed);
      const fewer = { ...FIRST, 'lists/a.txt': '.y.example\n' };
      await other.publish(listed, fewer, PUBLISHING);
      expect((await read(source)).files).toEqual(fewer);
    });

    it('writes nothing over a named list that was changed meanwhile', async () => {
      const another = await open();
      const [source, other] = [another(), another()];
      const listed = { ...FIRST, 'lists/a.txt': 'x.example\n' };
      await source.publish(FIRST, listed, PUBLISHING);
      const changed = { ...listed, 'lists/a.txt': 'x.example\ny.example\n' };
      await other.publish(listed, changed, PUBLISHING);
      const late = source.publish(listed, { ...listed, 'lists/a.txt': '' }, PUBLISHING);
      await expect(late).rejects.toBeInstanceOf(RulesOvertaken);
      expect((await read(source)).files).toEqual(changed);
    });

    it('tells who watches once at the beginning, then of what another publishes, and nothing after the end', async () => {
      const another = await open();
      const onChange = vi.fn();
      const end = await another().watch(onChange);
      onTestFinished(end);
      expect(onChange).toHaveBeenCalledTimes(1);
      onChange.mockClear();
      await another().publish(FIRST, SECOND, PUBLISHING);
      await eventually(() => expect(onChange).toHaveBeenCalled());
      end();
      onChange.mockClear();
      const later = vi.fn();
      const stop = await another().watch(later);
      onTestFinished(stop);
      later.mockClear();
      await another().publish(SECOND, FIRST, PUBLISHING);
      await eventually(() => expect(later).toHaveBeenCalled());
      expect(onChange).not.toHaveBeenCalled();
    });
  });
}
