import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAddress } from '../../../src/email/read-address.ts';
import { factsRead } from '../../../src/rules/conditions.ts';
import { canBeUnknown } from '../../../src/rules/described-facts.ts';
import { firesIn } from '../../../src/rules/kleene.ts';
import { lintRules } from '../../../src/rules/lint/lint-rules.ts';
import { tellingValues } from '../../../src/rules/telling-values.ts';
import { discoverProviders } from '../../../src/signals/discover-providers.ts';
import { planCollection } from '../../../src/signals/plan-collection.ts';
import { prepareCheck } from '../../support/check-with.ts';
import { group, NOW, points, reachingDirectory, when } from '../rules-directory.ts';

describe('contradictory facts, by the shipped providers', async () => {
  const { enabled } = await discoverProviders({ enabled: null, paths: [] });
  const { catalogue } = planCollection(enabled);
  const { never = [] } = catalogue;

  /** The places where lint of a test with these facts reports a contradiction. */
  const contradictions = (facts: Readonly<Record<string, unknown>>) => {
    const text = `- { name: x, expect: { action: ALLOW }, facts: ${JSON.stringify(facts)} }\n`;
    const { problems } = lintRules(reachingDirectory({ 'tests/a.yaml': text }), catalogue, { now: NOW });
    const found = problems.filter(({ file }) => file.endsWith('tests/a.yaml'));
    return found.map(({ code, column, endColumn }) => [code, text.slice(column - 1, (endColumn ?? 0) - 1)]);
  };

  it.each(never.map((together) => [together.map(({ fact }) => fact).join(' and '), together] as const))(
    'are reported where a test states them: %s',
    (_, together) => {
      const ids = [...new Set(together.flatMap(factsRead))];
      const valuesOf = (id: string) => {
        const fact = catalogue.facts.get(id);
        return fact ? tellingValues(fact, together, {}) : [];
      };
      let [told, untold] = [0, 0];
      for (const first of valuesOf(ids[0] ?? '')) {
        for (const second of ids.length > 1 ? valuesOf(ids[1] ?? '') : [first]) {
          const facts = { [ids[0] ?? '']: first, [ids.at(-1) ?? '']: second };
          const isTold = never.some((other) => firesIn({ all: other }, facts));
          expect(contradictions(facts)).toEqual(
            isTold ? [['contradicting_facts', JSON.stringify(second)]] : [],
          );
          if (isTold) told += 1;
          else untold += 1;
        }
      }
      expect([told > 0, untold > 0]).toEqual([true, true]);
      const declared = ids.flatMap((id) => catalogue.facts.get(id) ?? []);
      if (!declared.every(canBeUnknown)) return;
      expect(contradictions(Object.fromEntries(ids.map((id) => [id, null])))).toEqual([]);
    },
  );

  it('do not occur in any answer, however unusual the address', async () => {
    const local = enabled.filter(({ stage, needs = [] }) => stage === 'local' && needs.length === 0);
    const checks = await Promise.all(local.map((provider) => prepareCheck(provider)));
    const word = fc.stringMatching(/^[a-z0-9."+_ -]{1,12}$/);
    const domain = fc.constantFrom('gmail.com', 'x.org', '[192.0.2.1]', 'localhost', 'mailinator.com');
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(word, domain, async (local, at) => {
        const reading = readAddress(`${local}@${at}`);
        if (!reading.ok) return;
        const all = await Promise.all(checks.map(({ find }) => find(reading.address)));
        const facts = Object.assign({}, ...all.map((findings) => findings.facts));
        expect(never.filter((together) => firesIn({ all: together }, facts))).toEqual([]);
        answered += 1;
      }),
      { numRuns: 300, seed: 20261126 },
    );
    expect(answered).toBeGreaterThan(100);
  });

  const messagesAbout = (operator: string, value: number) => {
    const condition = when(`{ fact: gibberish.score, operator: ${operator}, value: ${value} }`);
    const sources = reachingDirectory({ 'a.yaml': group('a', { r: `${points(5)}, ${condition}` }) });
    return lintRules(sources, catalogue, { now: NOW }).problems.map(({ message }) => message);
  };

  it('are reported where a rule requires them: a share of one above 90', () => {
    const never = 'the condition of r asks for values that no address has: it is never true';
    expect(messagesAbout('greaterThan', 90)).toContain(never);
    expect(messagesAbout('greaterThan', 0.9).join()).not.toContain('never true');
  });

  it('are reported where a rule only rules them out: a share of one from 0 on', () => {
    const always = 'the condition of r is true for every address';
    expect(messagesAbout('greaterThanInclusive', 0)).toContain(always);
    expect(messagesAbout('greaterThanInclusive', 0.1)).not.toContain(always);
  });
});
