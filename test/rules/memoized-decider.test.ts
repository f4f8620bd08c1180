import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { decide } from '../../src/rules/decide.ts';
import type { Decision, Facts } from '../../src/rules/decision.ts';
import { ordinaryFacts } from '../../src/rules/described-facts.ts';
import { MemoizedDecider } from '../../src/rules/memoized-decider.ts';
import { times } from '../support/times.ts';
import { catalogue } from './catalogue.ts';
import { factsAndCompletion, filesOf, countingRules as rules } from './random-rules.ts';
import { compile } from './rules-directory.ts';

const RULE_SETS = times(75);
const FACTS_EACH = 50;

const GROUP = `
group: g
description: A group.
max_score: 100
rules:
  - id: many_hosts
    description: Many hosts.
    owner: risk
    mode: live
    conditions: { all: [{ fact: mx.host_count, operator: greaterThan, value: 3 }] }
    event: { type: points, params: { points: 40 } }
`;
const ruleSet = compile({ 'g.yaml': GROUP });
const facts = (more: object = {}) => ({ ...ordinaryFacts(catalogue), ...more });

/** Pairs of facts that differ in one fact: close enough to share a truth vector, or to differ only in it. */
function withNeighbours(all: readonly Facts[]): readonly Facts[] {
  const ids = [...catalogue.facts.keys()];
  return all.flatMap((facts, n) => {
    const id = ids[n % ids.length] ?? '';
    return [facts, { ...facts, [id]: all[(n + 1) % all.length]?.[id] ?? null }];
  });
}

describe('MemoizedDecider', () => {
  it(`equals the engine, with the ledger, on ${RULE_SETS * FACTS_EACH} random rule sets and facts`, async () => {
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(
        rules,
        fc.array(factsAndCompletion, { minLength: FACTS_EACH / 2, maxLength: FACTS_EACH / 2 }),
        async (random, cases) => {
          const ruleSet = compile(filesOf(random));
          const decider = new MemoizedDecider(ruleSet, { sampleEvery: Number.MAX_SAFE_INTEGER });
          for (const facts of withNeighbours(cases.map(({ open }) => open))) {
            const decision = await decide(ruleSet, facts);
            expect(await decider.decide(facts)).toEqual(decision);
            const { ledger: _, ...outcome } = decision;
            expect(await decider.judge(facts)).toEqual(outcome);
          }
          hits += decider.counts.hits;
        },
      ),
      { numRuns: RULE_SETS, seed: 20261120 },
    );
    // A run in which no decision came from the memo would prove nothing.
    expect(hits).toBeGreaterThan(RULE_SETS);
  });

  it('asks the engine once for facts that differ only where no rule compares them', async () => {
    const decider = new MemoizedDecider(ruleSet);
    const first = await decider.decide(facts({ 'mx.host_count': 4 }));
    const second = await decider.decide(facts({ 'mx.host_count': 9 }));
    expect(decider.counts).toEqual({ hits: 1, misses: 1 });
    expect(second.score).toBe(first.score);
    // The ledger quotes the facts of this request, not those of the remembered run.
    expect(second.ledger[0]).toMatchObject({ id: 'many_hosts', saw: { 'mx.host_count': 9 } });
  });

  it('tells unknown from false: the memo includes which rules stood aside', async () => {
    const decider = new MemoizedDecider(ruleSet);
    const known = await decider.decide(facts({ 'mx.host_count': 1 }));
    const open = await decider.decide(facts({ 'mx.host_count': null }));
    expect(known.ledger.map(({ kind }) => kind)).toEqual(['level', 'action']);
    expect(open.ledger[0]).toMatchObject({ kind: 'stood_aside', unknown: ['mx.host_count'] });
  });

  it('judges with the same memo, without a ledger', async () => {
    const decider = new MemoizedDecider(ruleSet);
    const judged = await decider.judge(facts({ 'mx.host_count': 4 }));
    expect(judged).toEqual({ score: 40, level: 'medium', action: 'ALLOW', ruleset: ruleSet.hash });
    expect(await decider.judge(facts({ 'mx.host_count': 9 }))).toEqual(judged);
    expect((await decider.decide(facts({ 'mx.host_count': 8 }))).score).toBe(40);
    expect(decider.counts).toEqual({ hits: 2, misses: 1 });
  });

  it('does not store a failed decision', async () => {
    const decider = new MemoizedDecider(ruleSet);
    const { 'mx.host_count': _, ...missing } = facts();
    await expect(decider.decide(missing)).rejects.toThrow('mx.host_count');
    await expect(decider.judge(missing)).rejects.toThrow('mx.host_count');
    expect(decider.counts).toEqual({ hits: 0, misses: 0 });
  });

  it('uses the decision of the engine, and reports it, when the two differ', async () => {
    const onMismatch = vi.fn();
    const lying = { ...ruleSet, points: ruleSet.points.map((rule) => ({ ...rule })) };
    const decider = new MemoizedDecider(lying, { onMismatch, sampleEvery: 1 });
    await decider.decide(facts({ 'mx.host_count': 4 }));
    expect(onMismatch).not.toHaveBeenCalled();
    // The rules are changed after compilation: the kind of bug that the sample finds.
    const [rule] = lying.points;
    if (rule) Object.assign(rule, { points: 41 });
    const decision = await decider.decide(facts({ 'mx.host_count': 4 }));
    expect(onMismatch).toHaveBeenCalledOnce();
    expect(decision.score).toBe(41);
  });

  it('decides 1,000 concurrent requests as it decides them one by one', async () => {
    const decider = new MemoizedDecider(ruleSet);
    const requests = Array.from({ length: 1_000 }, (_, n) =>
      facts({ 'mx.host_count': n % 7 === 0 ? null : n % 9 }),
    );
    const overlapping = await Promise.all(requests.map((request) => decider.decide(request)));
    // Equal requests have equal decisions, so each one is decided once by a new memo.
    const oneByOne = new Map<unknown, Decision>();
    for (const request of requests) {
      const hosts = request['mx.host_count'];
      if (!oneByOne.has(hosts)) oneByOne.set(hosts, await new MemoizedDecider(ruleSet).decide(request));
    }
    expect(oneByOne.size).toBe(10);
    expect(overlapping).toEqual(requests.map((request) => oneByOne.get(request['mx.host_count'])));
  });
});
