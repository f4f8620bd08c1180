import type { FactType, FactValue } from '../provider-kit/index.ts';
import type { CataloguedFact } from '../signals/signals.ts';
import { factsRead, isReference } from './conditions.ts';
import { isConstant, type Literal } from './definitions.ts';
import { type Constants, isNamedList } from './named-list.ts';
import { holds, type RightSide } from './operators.ts';

/**
 * Values of a fact, one for each way in which these comparisons can turn out: to a rule made of these comparisons, every further value is
 * like one of the list. Where the fact is compared with another fact, more values are kept: each may matter at some value of the other.
 * `texts`: the values of open text, where they are known already.
 */
export function tellingValues(
  { id, type, values = [] }: Pick<CataloguedFact, 'id' | 'type' | 'values'>,
  literals: readonly Literal[],
  constants: Constants,
  texts?: readonly string[],
): readonly FactValue[] {
  const { about, facts } = linkedWith(id, literals);
  if (isOpenText(type))
    return toldApart(texts ?? tellingTexts(about, constants, facts), about, constants, facts);
  const bounds = boundsOf(about, constants);
  const isNumber = type === 'integer' || type === 'number';
  if (isNumber && facts > 1) return linkedNumbers(bounds, facts, type === 'integer');
  const candidates = isNumber ? valuesAround(bounds, type) : type === 'boolean' ? [false, true] : values;
  return facts > 1 ? candidates : toldApart(candidates, about, constants);
}

/**
 * The comparisons that tell values of a fact apart, and how many facts they concern. Facts that are compared with each other are taken
 * together: they can be equal, or differ while every comparison with a constant turns out alike.
 */
export function linkedWith(fact: string, literals: readonly Literal[]) {
  const pairs = literals.filter(({ value }) => isReference(value) && !isConstant(value.fact));
  const linked = new Set(pairs.flatMap(factsRead));
  const facts = linked.has(fact) ? linked : new Set([fact]);
  return { about: literals.filter((literal) => facts.has(literal.fact)), facts: facts.size };
}

/**
 * Numbers for facts that are compared with one another. Such facts can stand in any order on either side of every constant, so there
 * are as many numbers around each constant as there are such facts.
 */
function linkedNumbers(bounds: readonly number[], facts: number, isWhole: boolean): readonly number[] {
  const steps = Array.from({ length: 2 * facts + 1 }, (_, index) => index - facts);
  const whole = ascending(
    (bounds.length === 0 ? [0] : bounds)
      .flatMap((bound) => [Math.floor(bound), Math.ceil(bound)])
      .flatMap((bound) => steps.map((step) => bound + step)),
  );
  if (isWhole) return whole;
  const points = ascending([...whole, ...bounds]);
  return points.flatMap((point, index) => {
    const gap = (points[index + 1] ?? point + 1) - point;
    return Array.from({ length: facts + 1 }, (_, part) => point + (gap * part) / (facts + 1));
  });
}

/** The candidates, but only the first `most` of those that no comparison with a constant tells apart. */
export function toldApart(
  candidates: readonly FactValue[],
  about: readonly Literal[],
  constants: Constants,
  most = 1,
): readonly FactValue[] {
  const compared = about.map((literal) => ({ ...literal, right: rightOf(literal, constants) }));
  return firstOfEach(candidates, signsBy(compared), most);
}

/** How the comparisons turn out, a digit each. A comparison with another fact is always 0: that fact has no value yet. */
function signsBy(compared: readonly (Pick<Literal, 'operator'> & { readonly right: RightSide })[]) {
  return (value: FactValue) =>
    compared.map(({ operator, right }) => (holds(operator, value, right) ? '1' : '0')).join('');
}

/** Whether facts of the type are open text. */
export function isOpenText(type: FactType): boolean {
  return type === 'text' || type === 'domain';
}

/** The numbers that the comparisons name, thresholds among them. */
export function boundsOf(literals: readonly Literal[], constants: Constants): readonly number[] {
  return literals
    .map(({ value }) => (isReference(value) ? constants[value.fact] : value))
    .filter((bound) => typeof bound === 'number');
}

/** Each bound and a value below and above it: between two neighbours in the list no comparison with a constant changes. */
function valuesAround(bounds: readonly number[], type: FactType): readonly number[] {
  if (bounds.length === 0) return [0, 1, 2];
  const sorted = ascending(bounds);
  const gaps = sorted.slice(1).map((bound, index) => bound - (sorted[index] ?? 0));
  // At most half the smallest gap, so that a step from one bound does not jump over the next.
  const step = type === 'integer' ? 1 : Math.min(1, ...gaps) / 2;
  return ascending(bounds.flatMap((bound) => [bound - step, bound, bound + step]));
}

/** Sorted, each once. */
export function ascending(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** The first `most` different values for each way in which the comparisons turn out (their signs). */
function firstOfEach<Value>(
  values: Iterable<Value>,
  signsOf: (value: Value) => string,
  most: number,
): readonly Value[] {
  const kept = new Map<string, Set<Value>>();
  for (const value of values) {
    const signs = signsOf(value);
    const alike = kept.get(signs) ?? new Set();
    kept.set(signs, alike);
    if (alike.size < most) alike.add(value);
  }
  return [...kept.values()].flatMap((alike) => [...alike]);
}

/**
 * Texts, up to `most` for each way in which comparisons with constants can turn out. For a text that no comparison names as a whole, the
 * results depend on its beginning and its end alone, and any beginning goes with any end. The time grows with the number of entries of
 * the lists looked into, times the number of comparisons.
 */
export function tellingTexts(
  literals: readonly Literal[],
  constants: Constants,
  most: number,
): readonly string[] {
  // Several rules may look into one long list.
  const different = new Map(
    literals.map((literal) => [JSON.stringify([literal.operator, literal.value]), literal]),
  );
  const compared = [...different.values()].flatMap((literal) => {
    const right = rightOf(literal, constants);
    return right === null ? [] : [{ ...literal, right }];
  });
  const signsOf = signsBy(compared);
  const { wholes, heads, tails } = looksOf(compared);
  const filler = neverNamed(compared);
  const ends = firstOfEach(tails, (tail) => signsOf(`${filler}${tail}`), 1);
  function* candidates(): Generator<string> {
    yield* wholes;
    for (const head of heads) {
      for (const tail of ends) {
        const signs = signsOf(`${head}${filler}${tail}`);
        let left = most;
        for (const between of fillers(tail, filler)) {
          const text = `${head}${between}${tail}`;
          if (signsOf(text) !== signs) continue;
          yield text;
          left -= 1;
          if (left === 0) break;
        }
      }
    }
  }
  return firstOfEach(candidates(), signsOf, most);
}

type Compared = Literal & { readonly right: Exclude<RightSide, null> };

/** What the comparisons look for: whole texts, beginnings and ends. The empty text stands for any other beginning or end. */
function looksOf(compared: readonly Compared[]) {
  const wholes = new Set<string>();
  const heads = new Set(['']);
  const tails = new Set(['']);
  for (const { operator, right } of compared) {
    if (isNamedList(right)) {
      for (const domain of right.domains) wholes.add(domain);
      for (const suffix of right.suffixes) {
        wholes.add(suffix);
        tails.add(`.${suffix}`);
      }
      continue;
    }
    const looked = operator.endsWith('starts_with') ? heads : operator.endsWith('ends_with') ? tails : wholes;
    for (const text of Array.isArray(right) ? right : [right]) looked.add(String(text));
  }
  return { wholes, heads, tails };
}

function rightOf({ value }: Literal, constants: Constants): RightSide {
  return isReference(value) ? (constants[value.fact] ?? null) : value;
}

/** A character of private use that no comparison names; no domain name has one. */
function neverNamed(compared: readonly Compared[]): string {
  const named = compared.map(({ right }) => (isNamedList(right) ? '' : String(right))).join('');
  let code = 0xe000;
  while (named.includes(String.fromCharCode(code))) code += 1;
  return String.fromCharCode(code);
}

/** Middles of texts: readable ones first, since a person may see them; then endless, so that there is always one more. */
function* fillers(tail: string, filler: string): Generator<string> {
  yield tail === '' ? 'other.example' : 'other';
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') yield letter.repeat(2);
  for (let length = 1; ; length += 1) yield filler.repeat(length);
}
