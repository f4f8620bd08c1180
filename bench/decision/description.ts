import { randomFrom } from '../support/random.ts';

/** Every engine's rules are made from this description: comparisons that must all hold, and points. */
export interface DescribedRule {
  readonly id: string;
  readonly points: number;
  readonly when: readonly DescribedComparison[];
}

export interface DescribedComparison {
  readonly fact: string;
  readonly operator: 'equal' | 'greaterThan' | 'lessThan';
  readonly value: boolean | number | string;
}

export type Facts = Readonly<Record<string, boolean | number | string>>;

const BOOLEANS = Array.from({ length: 12 }, (_, n) => `is_${n}`);
const NUMBERS = Array.from({ length: 6 }, (_, n) => `count_${n}`);
const WORDS = Array.from({ length: 3 }, (_, n) => `kind_${n}`);
export const KINDS = ['a', 'b', 'c', 'd', 'e'] as const;

/** Fact ids in the proportions of real signals: mostly booleans, some counts, some words from a list. */
export const FACTS = { booleans: BOOLEANS, numbers: NUMBERS, words: WORDS } as const;

/** One to three comparisons a rule. A longer set starts with the rules of a shorter one. */
export function describeRules(count: number): readonly DescribedRule[] {
  const random = randomFrom(1);
  const oneOf = <Item>(from: readonly Item[]): Item => from[Math.floor(random() * from.length)] as Item;
  const comparison = (): DescribedComparison => {
    const kind = random();
    if (kind < 0.5) return { fact: oneOf(BOOLEANS), operator: 'equal', value: true };
    if (kind < 0.65) return { fact: oneOf(WORDS), operator: 'equal', value: oneOf(KINDS) };
    const operator = oneOf(['greaterThan', 'lessThan'] as const);
    return { fact: oneOf(NUMBERS), operator, value: 5 + Math.floor(random() * 90) };
  };
  return Array.from({ length: count }, (_, n) => {
    const wanted = 1 + Math.floor(random() * 3);
    const byFact = new Map(Array.from({ length: wanted }, comparison).map((one) => [one.fact, one]));
    return {
      id: `rule_${String(n).padStart(3, '0')}`,
      points: 1 + Math.floor(random() * 9),
      when: [...byFact.values()],
    };
  });
}

/** `count` sets of facts; signals of abuse are rare in each. */
export function describeFacts(count: number): readonly Facts[] {
  const random = randomFrom(2);
  return Array.from({ length: count }, () =>
    Object.fromEntries([
      ...BOOLEANS.map((id) => [id, random() < 0.15]),
      ...NUMBERS.map((id) => [id, Math.floor(random() * 100)]),
      ...WORDS.map((id) => [id, KINDS[Math.floor(random() ** 2 * KINDS.length)]]),
    ]),
  );
}
