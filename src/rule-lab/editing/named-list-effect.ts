import { compileLists } from '../../rules/compile.ts';
import { isReference, literalsOf } from '../../rules/conditions.ts';
import { LIST_PREFIX } from '../../rules/definitions.ts';
import { entryNaming, isNamedList, type NamedList } from '../../rules/named-list.ts';
import { rulesOf } from '../../rules/rule-set.ts';
import type { ComparedSet } from '../backtest/run-backtest.ts';
import { type EffectInputs, judgeTouched, type ListEffect } from './list-flips.ts';

/**
 * What a change of a named list would have done to recorded checks: to those with a domain that enters or leaves the list. Where no rule
 * looks into the list, the domain of the address is taken. The sides differ in the list of this name alone.
 */
export function judgeNamedList(inputs: EffectInputs, name: string, now: number): Promise<ListEffect> {
  const { base, candidate } = inputs.sets;
  const id = `${LIST_PREFIX}${name}`;
  const lists = [listIn(base, id, now), listIn(candidate, id, now)];
  const looked = new Set(
    rulesOf(candidate.ruleSet)
      .flatMap(({ condition }) => literalsOf(condition))
      .flatMap(({ fact, value }) => (isReference(value) && value.fact === id ? [fact] : [])),
  );
  return judgeTouched(inputs, async ({ domain, facts }) => {
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
