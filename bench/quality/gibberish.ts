import { createRequire } from 'node:module';
import { AUTHORED, localPartsOfAuthors } from '../gibberish/authors.ts';
import { heldBackOf } from '../gibberish/held-back-names.ts';
import { LANGUAGE_GROUPS } from '../gibberish/language-groups.ts';
import { readLanguages } from '../gibberish/languages.ts';
import { type Names, nameLike } from '../gibberish/people.ts';
import { UNSEEN, unseenNames } from '../gibberish/unseen-names.ts';
import { randomFrom } from '../support/random.ts';
import { DETECTIVE, gibberishCosts } from './gibberish-cost.ts';
import { generatedByPattern, localParts } from './local-parts.ts';
import { type Contestants, countHits, type Metric } from './metric.ts';
import type { Postern } from './postern.ts';
import type { SignalQuality } from './signal-quality.ts';

const require = createRequire(import.meta.url);
/** Share of false hits on authors that is allowed to each contestant with a score. */
const ALLOWED = 0.02;
const CLASSES: readonly (readonly [kind: string, what: string, wanted: Metric['wanted']])[] = [
  ['random', 'random local parts found', 'high'],
  ['pronounceable', 'pronounceable ones found', 'high'],
  ['words', 'words, some with a random tail, found', 'high'],
  ['templated', 'templates with a counter or date found', 'high'],
  ['name', "local parts like people's named", 'low'],
];
/** Local parts for each group of languages and each package. */
const PEOPLE = 2_000;

type Score = (text: string) => number | Promise<number>;

export const gibberish: SignalQuality = {
  peers: [...AUTHORED, ...UNSEEN, DETECTIVE],
  async measure(data, postern) {
    const authors = localPartsOfAuthors();
    const { detect, assignScore }: Detective = require(DETECTIVE)({ useCache: false });
    const bits: Score = (text) => number(postern, text, 'entropy.score');
    // The peer's score is higher for text that looks more like a language, and NaN for text without letters.
    const unlike: Score = (text) => -(assignScore(text) || Number.POSITIVE_INFINITY);
    const ours = { Postern: (text: string) => postern.says(addressOf(text), 'gibberish.is_likely', true) };
    const entropyAtCost = { 'entropy at 2 % of authors': await allowing(bits, authors) };
    const all: Contestants<string> = {
      ...ours,
      ...entropyAtCost,
      'Postern, entropy.suspicious': (text) => postern.says(addressOf(text), 'entropy.suspicious', true),
      [`${DETECTIVE} detect`]: detect,
      [`${DETECTIVE} at 2 % of authors`]: await allowing(unlike, authors),
    };
    const metrics = [await countHits('authors of open source named', 'low', authors, all)];
    for (const [kind, what, wanted] of CLASSES) {
      metrics.push(await countHits(what, wanted, localParts(data, kind), all));
    }
    const two = { ...ours, ...entropyAtCost };
    for (const [pattern, rows] of generatedByPattern(data)) {
      metrics.push(await countHits(`pattern ${pattern} found`, 'high', rows, two));
    }
    for (const [people, names] of [...namesByGroup(), ...unseenNames()]) {
      metrics.push(await countHits(`people, ${people}, named`, 'low', peopleOf(names), two));
    }
    return metrics;
  },
  costs: gibberishCosts,
};

interface Detective {
  detect(text: string): boolean;
  assignScore(text: string): number;
}

/** A judge that says yes above a limit; 98 % of the authors score at or below the limit. */
async function allowing(
  score: Score,
  authors: readonly string[],
): Promise<(text: string) => Promise<boolean>> {
  const scores = await Promise.all(authors.map(score));
  scores.sort((one, other) => other - one);
  const limit = scores[Math.floor(authors.length * ALLOWED)] ?? 0;
  return async (text) => (await score(text)) > limit;
}

/** Names that were held back from the training, by group of languages that look alike. */
function namesByGroup(): readonly (readonly [group: string, names: Names])[] {
  const languages = readLanguages();
  return Object.entries(LANGUAGE_GROUPS).map(([group, members]) => {
    const found = languages.filter(({ language }) => members.includes(language));
    const given = found.flatMap((language) => heldBackOf(language.given));
    return [group, { given, family: found.flatMap((language) => heldBackOf(language.family)) }];
  });
}

function peopleOf(names: Names): readonly string[] {
  const random = randomFrom(1);
  return Array.from({ length: PEOPLE }, () => nameLike(names, random));
}

/** Zero where the address is refused. */
async function number(postern: Postern, localPart: string, fact: string): Promise<number> {
  const assessment = await postern.assess(addressOf(localPart));
  return Number(assessment?.signals.facts[fact] ?? 0);
}

function addressOf(localPart: string): string {
  return `${localPart}@example.com`;
}
