import { compileLists } from '../../rules/compile.ts';
import { isReference, literalsOf } from '../../rules/conditions.ts';
import { LIST_PREFIX } from '../../rules/definitions.ts';
import { entryNaming, isNamedList, type NamedList } from '../../rules/named-list.ts';
import { rulesOf } from '../../rules/rule-set.ts';
import type { BySide } from '../backtest/case.ts';
import type { ComparedSet } from '../backtest/run-backtest.ts';
import { type EffectInputs, judgeTouched, type ListEffect } from './list-flips.ts';

interface Inputs extends Omit<EffectInputs, 'ruleSets'> {
  /** `base`: the rules in force; `candidate`: the same with another list of this name. */
  readonly sets: BySide<ComparedSet>;
  readonly name: string;
  readonly now: number;
}

/**
 * What a change of a named list would have done to recorded checks: to those with a domain that enters or leaves the list. Where no rule
 * looks into the list, the domain of the address is taken.
 */
export function judgeNamedList({ sets, name, now, ...inputs }: Inputs): Promise<ListEffect> {
  const id = `${LIST_PREFIX}${name}`;
  const ruleSets = { base: sets.base.ruleSet, candidate: sets.candidate.ruleSet };
  const lists = [listIn(sets.base, id, now), listIn(sets.candidate, id, now)];
  const looked = new Set(
    rulesOf(ruleSets.candidate)
      .flatMap(({ condition }) => literalsOf(condition))
      .flatMap(({ fact, value }) => (isReference(value) && value.fact === id ? [fact] : [])),
  );
  return judgeTouched({ ...inputs, ruleSets }, async ({ domain, facts }) => {
    const found = looked.size === 0 ? [domain] : [...looked].map((fact) => facts[fact]);
    const domains = found.filter((value) => typeof value === 'string');
    if (domains.length === 0) return 'no_domain';
    const isTouched = domains.some((one) => {
      const [before, after] = lists.map((list) => list !== undefined && entryNaming(one, list) !== undefined);
      return before !== after;
    });
    return isTouched ? { base: facts, candidate: facts } : null;
  });
}

/** The list on one side. A rule set has only lists that a rule reads; others are compiled from the definitions. */
function listIn({ ruleSet, definitions }: ComparedSet, id: string, now: number): NamedList | undefined {
  const read = ruleSet.constants[id];
  if (isNamedList(read)) return read;
  const own = definitions.namedLists.filter(({ name }) => `${LIST_PREFIX}${name}` === id);
  const list = compileLists(own, now)[id];
  return isNamedList(list) ? list : undefined;
}
