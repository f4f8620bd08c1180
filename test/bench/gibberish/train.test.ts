import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATTERNS } from '../../../bench/gibberish/generated.ts';
import { isHeldBack } from '../../../bench/gibberish/held-back.ts';
import { LANGUAGE_GROUPS } from '../../../bench/gibberish/language-groups.ts';
import { nameLike, personal } from '../../../bench/gibberish/people.ts';
import { countTrigrams } from '../../../bench/gibberish/trigrams.ts';
import { weightedChoice } from '../../../bench/gibberish/weighted-choice.ts';
import { arePeersInstalled } from '../../../bench/install-peers.ts';
import { randomFrom } from '../../../bench/support/random.ts';
import { PER_NAT, SYMBOLS } from '../../../providers/gibberish/model.ts';
import { packageRoot } from '../../../src/lib/paths.ts';
import { heldBackNames } from './held-back.ts';

const CLARA = { given: ['clara'], family: ['schumann'] };

it('draws the same people from the same seed, from their names', () => {
  const draw = (seed: number) => {
    const random = randomFrom(seed);
    return Array.from({ length: 300 }, () => nameLike(CLARA, random));
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(draw(1).filter((text) => !/clara|schumann/.test(text))).toEqual([]);
  expect(draw(1)).toEqual(expect.arrayContaining(['claraschumann', 'cschumann', 'clara.schumann']));
});

it('also draws nicknames and words for training, never an empty one', () => {
  const random = randomFrom(3);
  const drawn = Array.from({ length: 3_000 }, () => personal(CLARA, ['moon', 'river'], random));
  expect(drawn).toEqual(expect.arrayContaining(['moonriver', 'clasch', 'clrsch']));
  expect(drawn.filter((text) => text.length === 0)).toEqual([]);
});

it('makes generated local parts of every class, the same from the same seed', () => {
  const classes = PATTERNS.map(([, kind]) => kind);
  expect([...new Set(classes)].sort()).toEqual(['pronounceable', 'random', 'templated', 'words']);
  for (const [pattern, , make] of PATTERNS) {
    expect(make(randomFrom(5)), pattern).toBe(make(randomFrom(5)));
    expect(make(randomFrom(5)), pattern).not.toBe(make(randomFrom(6)));
  }
});

it('chooses in proportion to the weights, and nothing from an empty list', () => {
  const choose = weightedChoice([{ weight: 3 }, { weight: 1 }]);
  expect([0, 0.74, 0.76, 0.999].map((number) => choose(() => number).weight)).toEqual([3, 3, 1, 1]);
  expect(() => weightedChoice([])).toThrow('nothing to choose from');
});

it('gives a symbol that often follows two others a low cost', () => {
  const texts = ['ab', 'ab', 'ab', 'ac'];
  let at = 0;
  const costs = countTrigrams(() => texts[at++ % 4] ?? '', 4_000);
  const afterEdgeAndA = (symbol: number) => costs[SYMBOLS + symbol] ?? 0;
  expect(afterEdgeAndA(2) / PER_NAT).toBeCloseTo(-Math.log(0.75), 1);
  expect(afterEdgeAndA(3) / PER_NAT).toBeCloseTo(-Math.log(0.25), 1);
  expect(afterEdgeAndA(4)).toBeGreaterThan(afterEdgeAndA(3));
});

describe('the held-out names', () => {
  it('are a fifth of all, always the same', () => {
    const random = randomFrom(8);
    const words = Array.from({ length: 5_000 }, () => random().toString(36).slice(2, 9));
    const held = words.filter(isHeldBack);
    expect(held.length / words.length).toBeCloseTo(0.2, 1);
    expect(held.every(isHeldBack)).toBe(true);
  });

  it('of every language are in the sample, and no other', () => {
    const sample = heldBackNames();
    expect([...sample.keys()].sort()).toEqual(Object.values(LANGUAGE_GROUPS).flat().sort());
    const names = [...sample.values()].flatMap(({ given, family }) => [...given, ...family]);
    expect(names.filter((name) => !isHeldBack(name))).toEqual([]);
  });
});

// `npm run bench:quality` installs them; the check takes a few seconds.
it.skipIf(!arePeersInstalled())('makes the shipped model and the sample again, byte for byte', () => {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(packageRoot, 'bench/gibberish/train.ts'), '--check'],
    { encoding: 'utf8' },
  );
  expect({ stdout, stderr, status }).toEqual({ stdout: 'up to date\n', stderr: '', status: 0 });
});
