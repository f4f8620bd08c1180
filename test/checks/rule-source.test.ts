import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Judgement, RuleJudge } from '../../src/checks/rule-judge.ts';
import { type ReadingTools, readSettled } from '../../src/checks/rule-source.ts';
import { RulesDirectory, readRuleSources } from '../../src/checks/rules-directory.ts';
import { digestOf } from '../../src/rules/rule-files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Finds a fault in each file that contains "bad", and cannot judge one that contains "odd". */
class WordJudge implements RuleJudge {
  readonly judged: string[] = [];
  async judge({ files }: Parameters<RuleJudge['judge']>[0]): Promise<Judgement> {
    const text = Object.values(files).join('+');
    this.judged.push(text);
    if (text.includes('odd')) throw new Error('out of memory');
    const failing = text.includes('bad')
      ? [{ name: text, place: { file: 'a.yaml', line: 1, column: 1 }, failures: [] }]
      : [];
    const definitions = { ...{ groups: [], rules: [], thresholds: [], signals: {}, tests: [] } };
    const lists = { allow: [], deny: [] };
    return {
      problems: [],
      definitions: { ...definitions, lists, namedLists: [], conditions: [] },
      passed: 0,
      failing,
    };
  }
  close() {}
}

/** A directory that changes during each pause. */
function aDirectory(first: string, ...later: readonly (string | (() => void))[]) {
  const dir = temporaryDirectory();
  const write = (text: string) => writeFileSync(join(dir, 'a.yaml'), text);
  write(first);
  const judge = new WordJudge();
  let pauses = 0;
  const tools: ReadingTools = {
    judge,
    now: () => 0,
    isKnown: () => false,
    isClosed: () => false,
    pause: async () => {
      const next = later[pauses++];
      if (typeof next === 'string') write(next);
      else next?.();
    },
  };
  return {
    dir,
    judge,
    pauses: () => pauses,
    read: async (more: Partial<ReadingTools> = {}) => {
      const reading = await readSettled(new RulesDirectory(dir), { ...tools, ...more });
      if (reading.is === 'good') return Object.values(reading.rules.sources.files).join();
      return reading.is === 'bad' ? { bad: reading.digest !== null, faults: reading.faults } : reading.is;
    },
  };
}

describe('readSettled', () => {
  it('returns files that two readings agree on', async () => {
    const { read, judge } = aDirectory('good');
    expect(await read()).toBe('good');
    expect(judge.judged).toEqual(['good']);
  });

  it('does not judge files that are being written', async () => {
    const { read, judge } = aDirectory('', 'go', 'good');
    expect(await read()).toBe('good');
    expect(judge.judged).toEqual(['good']);
  });

  it('judges again when the files have changed while they were judged', async () => {
    const { dir, read, judge } = aDirectory('first');
    const slow: RuleJudge = {
      judge: async (sources) => {
        if (judge.judged.length === 0) writeFileSync(join(dir, 'a.yaml'), 'second');
        return judge.judge(sources);
      },
      close: () => undefined,
    };
    expect(await read({ judge: slow })).toBe('second');
    expect(judge.judged).toEqual(['first', 'second']);
  });

  it('waits two seconds for a half-written file to be completed before it reports the file as bad', async () => {
    const healing = [undefined, undefined, undefined, undefined, 'good'].map(
      (text) => text ?? (() => undefined),
    );
    const { read, judge } = aDirectory('bad', ...healing);
    expect(await read()).toBe('good');
    expect(judge.judged).toEqual(['bad', 'good']);
  });

  it('reports files that stay bad, and judges them once', async () => {
    const { read, judge } = aDirectory('bad');
    expect(await read()).toEqual({ bad: true, faults: ['a.yaml:1:1 test "bad" failed: '] });
    expect(judge.judged).toEqual(['bad']);
  });

  it('waits for a directory that is being replaced, and reports the missing path when it does not appear', async () => {
    let pauses = 0;
    const { dir, read } = aDirectory('good');
    const putBack = async () => {
      if (++pauses !== 3) return;
      mkdirSync(dir);
      writeFileSync(join(dir, 'a.yaml'), 'moved');
    };
    rmSync(dir, { recursive: true });
    expect(await read({ pause: putBack })).toBe('moved');

    const gone = aDirectory('good');
    rmSync(gone.dir, { recursive: true });
    expect(await gone.read()).toEqual({
      bad: false,
      faults: [`rules directory ${gone.dir}: cannot be read: there is none (ENOENT)`],
    });
  });

  it('gives up on files that keep changing', async () => {
    let count = 0;
    const { dir, read } = aDirectory('0');
    expect(await read({ pause: async () => writeFileSync(join(dir, 'a.yaml'), String(++count)) })).toEqual({
      bad: false,
      faults: [`rules directory ${dir}: its files change from reading to reading`],
    });
  });

  it('reports only the reason for rules that could not be judged', async () => {
    expect(await aDirectory('odd').read()).toEqual({ bad: false, faults: ['out of memory'] });
  });

  it('does not wait for files that it has already judged', async () => {
    const { dir, read, judge, pauses } = aDirectory('known');
    const known = digestOf((await readRuleSources(dir)).files);
    expect(await read({ isKnown: (digest) => digest === known })).toBe('known');
    expect([judge.judged, pauses()]).toEqual([[], 0]);
  });
});
