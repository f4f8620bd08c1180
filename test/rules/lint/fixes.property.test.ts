import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../../../src/rules/compile.ts';
import type { Facts } from '../../../src/rules/decision.ts';
import { applyFixes, lintRules } from '../../../src/rules/lint/lint-rules.ts';
import { presentProblem } from '../../../src/rules/problem.ts';
import type { FactCatalogue } from '../../../src/signals/signals.ts';
import { times } from '../../support/times.ts';
import { catalogue } from '../catalogue.ts';
import {
  factsAndCompletion,
  filesOf,
  outcome,
  type RandomRules,
  rules,
  sometimesNamed,
} from '../random-rules.ts';
import { directory, NOW } from '../rules-directory.ts';

/** The same cases on every run; a failure prints its own. */
const RUNS = { numRuns: times(70), seed: 20261126 };
const several = fc.array(factsAndCompletion, { minLength: 12, maxLength: 12 });

type Files = Readonly<Record<string, string>>;
type ShownFix = NonNullable<ReturnType<typeof presentProblem>['fix']>;

const textsOf = (random: RandomRules): Files => {
  const { 'tests/decision.yaml': _, ...texts } = filesOf(random);
  return texts;
};
const sourcesOf = (texts: Files) => directory({ ...texts, 'tests/decision.yaml': undefined });

/** The decisions of a directory on each of these facts; undefined where it has an error. */
function decisionsOf(texts: Files, known: FactCatalogue, cases: readonly { readonly open: Facts }[]) {
  const { definitions } = lintRules(sourcesOf(texts), known, { now: NOW, onlyErrors: true });
  if (!definitions) return undefined;
  const ruleSet = compileRuleSet(definitions, NOW);
  return cases.map(({ open }) => outcome(ruleSet, open));
}

/** The result of each fix alone, as an editor applies it, and of all safe ones, as the command does. */
function mendedWays(texts: Files, known: FactCatalogue): readonly Files[] {
  const sources = sourcesOf(texts);
  const { problems } = lintRules(sources, known, { now: NOW, onlyErrors: true });
  const alone = problems.map(presentProblem).flatMap(({ file, fix }) => {
    const path = file.replace('rules/', '');
    return fix ? [{ ...texts, [path]: applyOne(texts[path] ?? '', fix) }] : [];
  });
  return alone.length === 0 ? [] : [...alone, applyFixes(sources, known, { now: NOW }).sources.files];
}

function applyOne(text: string, { line, column, end_column, replacement }: ShownFix): string {
  const lines = text.split('\n');
  const old = lines[line - 1] ?? '';
  lines[line - 1] = old.slice(0, column - 1) + replacement + old.slice(end_column - 1);
  return lines.join('\n');
}

/** Ways to misspell a word. `at` is the position in it. */
const SLIPS: readonly ((word: string, at: number) => string)[] = [
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => word.slice(0, at) + word.slice(at, at + 1) + word.slice(at),
  (word, at) => `${word.slice(0, at)}x${word.slice(at)}`,
  (word, at) => word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
  (word) => word.toUpperCase(),
  (word) => word.replaceAll('_', '-'),
  (word) => word.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  (word) => word.split('.').at(-1) ?? word,
  (word) => `"${word}"`,
  (word) => OTHERS[word] ?? word,
];
/** The corresponding words of other languages. */
const OTHERS: Readonly<Record<string, string>> = {
  all: 'and',
  any: 'or',
  not: '"!"',
  equal: '"=="',
  notEqual: 'ne',
  in: 'one_of',
  lessThan: '"<"',
  lessThanInclusive: 'lte',
  greaterThan: 'gt',
  greaterThanInclusive: '">="',
  true: 'yes',
  false: 'off',
};

describe('the fixes of lint', () => {
  it('keep every intended decision, whichever word of a directory is written differently', () => {
    let mended = 0;
    fc.assert(
      fc.property(
        rules,
        several,
        fc.record({ file: fc.nat(), word: fc.nat(), at: fc.nat(), slip: fc.constantFrom(...SLIPS) }),
        (random, cases, { file, word, at, slip }) => {
          const texts = textsOf(random);
          const path = Object.keys(texts)[file % Object.keys(texts).length] ?? '';
          const words = [...(texts[path] ?? '').matchAll(/[A-Za-z_][\w.]*/g)];
          const { 0: old = '', index = 0 } = words[word % words.length] ?? {};
          const text = texts[path] ?? '';
          const slipped = text.slice(0, index) + slip(old, at % old.length) + text.slice(index + old.length);
          for (const files of mendedWays({ ...texts, [path]: slipped }, catalogue)) {
            const then = decisionsOf(files, catalogue, cases);
            if (!then) continue;
            expect(then).toEqual(decisionsOf(texts, catalogue, cases));
            mended += 1;
          }
        },
      ),
      RUNS,
    );
    expect(mended).toBeGreaterThan(12);
  });

  it('do not replace a fact or a word that no provider of this installation has', () => {
    let missing = 0;
    fc.assert(
      fc.property(sometimesNamed(rules), several, fc.nat(), (random, cases, pick) => {
        const texts = textsOf(random);
        const known = [...catalogue.facts.values()].filter(({ disabled }) => !disabled);
        const without = known[pick % known.length];
        if (!without) return;
        const facts = new Map(catalogue.facts);
        const [gone, ...values] = (without.values ?? []).toReversed();
        if (gone === undefined || pick % 2 === 0) facts.delete(without.id);
        else facts.set(without.id, { ...without, values });
        const fewer = { ...catalogue, facts };
        if (decisionsOf(texts, fewer, [])) return;
        missing += 1;
        for (const files of mendedWays(texts, fewer)) {
          const then = decisionsOf(files, fewer, cases);
          if (then) expect(then).toEqual(decisionsOf(texts, catalogue, cases));
        }
      }),
      RUNS,
    );
    expect(missing).toBeGreaterThan(30);
  });

  it.each(Object.entries(OTHERS))('correct every %s that is written %s', (own, other) => {
    const written = new RegExp(`^((?:[ -]|operator:|value:)* )${own}\\b`, 'gm');
    let found = 0;
    fc.assert(
      fc.property(sometimesNamed(rules), (random) => {
        const texts = textsOf(random);
        const foreign = Object.fromEntries(
          Object.entries(texts).map(([path, text]) => [path, text.replaceAll(written, `$1${other}`)]),
        );
        found += JSON.stringify(foreign) === JSON.stringify(texts) ? 0 : 1;
        const { sources } = applyFixes(sourcesOf(foreign), catalogue, { now: NOW });
        expect(sources.files).toEqual(texts);
      }),
      { numRuns: 4, seed: 20261126 },
    );
    expect(found).toBeGreaterThan(0);
  });
});
