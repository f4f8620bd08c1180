import { compileLists } from '../../rules/compile.ts';
import { isReference, literalsOf } from '../../rules/conditions.ts';
import { LIST_PREFIX } from '../../rules/definitions.ts';
import { entryNaming, isNamedList, type NamedList } from '../../rules/named-list.ts';
import { rulesOf } from '../../rules/rule-set.ts';
import type { BySide } from '../backtest/case.ts';
import { Judge } from '../backtest/judge.ts';
import type { ComparedSet } from '../backtest/run-backtest.ts';
import type { ListEffect } from './list-effect.ts';
import { addFlip, noFlips } from './list-flips.ts';
import { type Corpus, casesOf } from './replay.ts';

interface Inputs {
  /** `base`: the rules in force; `candidate`: the same with another list of this name. */
  readonly sets: BySide<ComparedSet>;
  readonly name: string;
  readonly corpus: Corpus;
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a change of a named list would have done to recorded checks: to those with a domain that enters or leaves the list. Where no rule
 * looks into the list, the domain of the address is taken.
 */
export async function judgeNamedList({ sets, name, corpus, now, signal }: Inputs): Promise<ListEffect> {
  const id = `${LIST_PREFIX}${name}`;
  const ruleSets = { base: sets.base.ruleSet, candidate: sets.candidate.ruleSet };
  const lists = { base: listIn(sets.base, id, now), candidate: listIn(sets.candidate, id, now) };
  const has = (side: keyof typeof lists, domain: string) => {
    const list = lists[side];
    return list !== undefined && entryNaming(domain, list) !== undefined;
  };
  const looked = new Set(
    rulesOf(ruleSets.candidate)
      .flatMap(({ condition }) => literalsOf(condition))
      .flatMap(({ fact, value }) => (isReference(value) && value.fact === id ? [fact] : [])),
  );
  const judge = new Judge(ruleSets);
  const flips = noFlips();
  let touched = 0;
  let withoutDomain = 0;
  for await (const { id: check, createdAt, domain, label, facts } of casesOf(corpus, signal)) {
    const found = looked.size === 0 ? [domain] : [...looked].map((fact) => facts[fact]);
    const domains = found.filter((value) => typeof value === 'string');
    if (domains.length === 0) withoutDomain += 1;
    if (!domains.some((one) => has('base', one) !== has('candidate', one))) continue;
    touched += 1;
    const listed = { id: check, created_at: createdAt ?? '', domain, label };
    addFlip(flips, listed, await judge.judge(facts, facts));
  }
  const { checks, of, days, since } = corpus.statement;
  return {
    days,
    since,
    of,
    checks,
    touched,
    without_domain: withoutDomain,
    unseen: [],
    flips,
  };
}

/** The list on one side. A rule set has only lists that a rule reads; others are compiled from the definitions. */
function listIn({ ruleSet, definitions }: ComparedSet, id: string, now: number): NamedList | undefined {
  const read = ruleSet.constants[id];
  if (isNamedList(read)) return read;
  const own = definitions.namedLists.filter(({ name }) => `${LIST_PREFIX}${name}` === id);
  const list = compileLists(own, now)[id];
  return isNamedList(list) ? list : undefined;
}
