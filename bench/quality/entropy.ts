import { AUTHORED, localPartsOfAuthors } from '../gibberish/authors.ts';
import { localParts } from './local-parts.ts';
import { type Contestants, countHits } from './metric.ts';
import type { Postern } from './postern.ts';
import type { SignalQuality } from './signal-quality.ts';

const CLASSES: readonly (readonly [kind: string, what: string, wanted: 'high' | 'low'])[] = [
  ['random', 'random local parts found', 'high'],
  ['templated', 'templates with a counter or date found', 'high'],
  ['name', "local parts like people's named", 'low'],
];

export const entropy: SignalQuality = {
  peers: AUTHORED,
  async measure(data, postern) {
    const isSuspicious = (text: string) => postern.says(addressOf(text), 'entropy.suspicious', true);
    const above = (limit: number) => async (text: string) => (await bitsOf(postern, text)) > limit;
    const limit = await limitWithFalseHitsOf(postern, isSuspicious, localParts(data, 'name'));
    const contestants: Contestants<string> = {
      Postern: isSuspicious,
      'entropy above 3.5 bits': above(3.5),
      [`entropy above ${limit} bits`]: above(limit),
    };
    const authors = countHits('authors of open source named', 'low', localPartsOfAuthors(), contestants);
    const classes = CLASSES.map(([kind, what, wanted]) =>
      countHits(what, wanted, localParts(data, kind), contestants),
    );
    return Promise.all([...classes, authors]);
  },
};

/** The limit, one for all lengths, with as many false hits on people as `judge`, or a few fewer where scores tie. */
async function limitWithFalseHitsOf(
  postern: Postern,
  judge: (text: string) => Promise<boolean>,
  people: readonly string[],
): Promise<number> {
  const bits = await Promise.all(people.map((text) => bitsOf(postern, text)));
  const named = await Promise.all(people.map(judge));
  bits.sort((one, other) => other - one);
  return bits[named.filter(Boolean).length] ?? 0;
}

/** Zero where the address is refused. */
async function bitsOf(postern: Postern, localPart: string): Promise<number> {
  const assessment = await postern.assess(addressOf(localPart));
  return Number(assessment?.signals.facts['entropy.score'] ?? 0);
}

function addressOf(localPart: string): string {
  return `${localPart}@example.com`;
}
