import { isDeepStrictEqual } from 'node:util';
import type { Section } from '../report/section.ts';
import { number, table } from '../report/table.ts';
import { timeSideBySide } from '../support/stopwatch.ts';
import { describeFacts, describeRules, type Facts } from './description.ts';
import type { DecisionEngine, MakeEngine } from './engine.ts';
import { jsonRulesEngine } from './json-rules-engine.ts';
import { posternCold, posternWarm } from './postern.ts';
import { zenEngine } from './zen-engine.ts';

const SIZES = [12, 40, 150] as const;
const FACTS = describeFacts(500);
const MAKERS: readonly (readonly [name: string, make: MakeEngine])[] = [
  ['Postern, warm', posternWarm],
  ['Postern, cold', posternCold],
  ['json-rules-engine', jsonRulesEngine],
  ['@gorules/zen-engine', zenEngine],
];

export const decision: Section = {
  title: 'A decision',
  async measure(note) {
    const bySize = new Map<number, ReadonlyMap<string, number>>();
    const names = new Map<string, string>();
    const absent = new Map<string, string>();
    for (const size of SIZES) {
      const engines = await makeEngines(size, absent);
      for (const { key, engine } of engines) names.set(key, engine.name);
      await requireAgreement(engines.map(({ engine }) => engine));
      const timings = await timeSideBySide({
        subjects: engines.map(({ key, engine }) => ({ name: key, run: engine.decide })),
        inputs: FACTS,
        millisecondsEach: 400,
        rounds: 5,
      });
      bySize.set(size, timings);
      note(`${size} rules: ${[...timings].map(([key, us]) => `${key} ${number(us)} µs`).join(', ')}`);
    }
    const taken = (size: number, key: string) => bySize.get(size)?.get(key) ?? Number.NaN;
    const rows = MAKERS.map(([key]) => [
      absent.has(key) ? `${key}: not run here (${absent.get(key)})` : (names.get(key) ?? key),
      ...SIZES.flatMap((size) => [
        number(taken(size, key)),
        number(taken(size, key) / taken(size, 'Postern, warm')),
      ]),
    ]);
    const markdown = [
      `µs for a decision, and how many times Postern's warm one. ${FACTS.length} sets of facts in turn, one decision after the`,
      'other; rules for all four are made from one description, and before the clock starts all of them must agree, set by',
      'set, on the score and on which rules fired. Postern also gives level, action and the ledger, and one in 20,000 of its',
      'warm decisions asks the engine too, as in production.',
      '',
      table(['', ...SIZES.flatMap((size) => [`${size} rules`, '×'])], rows),
    ].join('\n');
    return { markdown, goals: [] };
  },
};

interface NamedEngine {
  readonly key: string;
  readonly engine: DecisionEngine;
}

/** Makes the engines that can run here; writes to `absent` why the others cannot. Throws where Postern's own cannot. */
async function makeEngines(size: number, absent: Map<string, string>): Promise<readonly NamedEngine[]> {
  const engines: NamedEngine[] = [];
  for (const [key, make] of MAKERS) {
    try {
      engines.push({ key, engine: await make(describeRules(size)) });
    } catch (error) {
      if (key.startsWith('Postern')) throw error;
      absent.set(key, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
    }
  }
  return engines;
}

async function requireAgreement([first, ...others]: readonly DecisionEngine[]): Promise<void> {
  if (first === undefined) throw new Error('there is nothing to compare');
  for (const facts of FACTS) await requireOneOutcome(facts, first, others);
}

async function requireOneOutcome(
  facts: Facts,
  first: DecisionEngine,
  others: readonly DecisionEngine[],
): Promise<void> {
  const expected = await first.outcome(facts);
  for (const other of others) {
    const found = await other.outcome(facts);
    if (isDeepStrictEqual(found, expected)) continue;
    throw new Error(
      `${other.name} says ${JSON.stringify(found)}, ${first.name} ${JSON.stringify(expected)}, of ${JSON.stringify(facts)}`,
    );
  }
}
