import type { ApiKey } from '../../../accounts/key.ts';
import { parseRecord } from '../../../checks/check-record.ts';
import type { WholeCheck } from '../../../insights/insights-queries.ts';
import { type Facts, presentSummary } from '../../../rules/decision.ts';
import { describeCount, type ExplainedDecision } from '../../../rules/explain-decision.ts';
import { bucketOf, sidesIn, withBucket } from '../../../rules/rollout.ts';
import type { RuleSet } from '../../../rules/rule-set.ts';
import type { FactCatalogue } from '../../../signals/signals.ts';
import { closed, type Of } from '../../json-types.ts';
import { presentDecision, presentSides, shownEvidence } from '../decision.ts';
import { LISTED } from './checks.schema.ts';

const HEAD = closed(LISTED);

/** Of the members of a row those that a list has too. */
function presentHead(row: WholeCheck['row']) {
  const names = Object.keys(LISTED) as (keyof typeof LISTED)[];
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Of<typeof HEAD>;
}

export interface CheckReader {
  /** Operators see the reason and the owner of an entry of the lists. */
  readonly isOperator: boolean;
  readonly catalogue: FactCatalogue;
  readonly key: ApiKey | undefined;
  /** The rules in force. */
  readonly ruleSet: RuleSet;
}

export function presentWhole({ row, labels, version }: WholeCheck, reader: CheckReader) {
  const record = parseRecord(row);
  const { key } = reader;
  return {
    ...presentHead(row),
    person: row.address_hmac,
    key: key ? { name: key.name, prefix: key.prefix } : null,
    ruleset_version: version,
    ledger: record.ledger,
    rollouts: presentSides(recordedSides(record, reader)),
    signals: presentSignals(record, reader),
    challenger: record.challenger,
    labels,
  };
}

/** Only of a check that the rules in force decided: to how many people others were rolled out is not in the record. */
function recordedSides(
  { ruleset, ledger, address_hmac }: ReturnType<typeof parseRecord>,
  { ruleSet }: CheckReader,
) {
  if (ruleset !== ruleSet.hash) return [];
  return sidesIn(
    ruleSet,
    ledger,
    withBucket({}, ruleSet, () => bucketOf(address_hmac)),
  );
}

/** By provider: what it answered, why it did not, and how long it took. The slowest first. */
function presentSignals(
  { facts, unknown, evidence, timings, sources }: ReturnType<typeof parseRecord>,
  { catalogue, isOperator }: CheckReader,
) {
  const providerOf = (fact: string) => catalogue.facts.get(fact)?.provider ?? fact.split('.', 1)[0] ?? fact;
  const ids = new Set([...Object.keys(timings), ...Object.keys(facts).map(providerOf)]);
  return [...ids]
    .map((provider) => ({
      provider,
      took_us: timings[provider] ?? null,
      source: sources[provider] ?? null,
      facts: only(facts, (fact) => providerOf(fact) === provider),
      unknown: only(unknown, (fact) => providerOf(fact) === provider),
      evidence: shownEvidence(evidence[provider], isOperator),
    }))
    .toSorted((a, b) => (b.took_us ?? -1) - (a.took_us ?? -1) || (a.provider < b.provider ? -1 : 1));
}

function only<Value>(of: Readonly<Record<string, Value>>, isWanted: (key: string) => boolean) {
  return Object.fromEntries(Object.entries(of).filter(([key]) => isWanted(key)));
}

export function presentExplanation(
  { decision, counts, outlook, listed, named, rollouts }: ExplainedDecision,
  facts: Facts,
  missing: readonly string[],
) {
  return {
    decision: presentDecision(decision, rollouts),
    missing,
    counts: counts.map((count) => ({ rule: count.rule, told: describeCount(count) })),
    conditions: named,
    lists: listed,
    turn: {
      action: outlook.action,
      points: outlook.points,
      flips: outlook.flips.map(({ changes, decision: then }) => ({
        changes,
        from: Object.fromEntries(Object.keys(changes).map((id) => [id, facts[id] ?? null])),
        ...presentSummary(then),
      })),
    },
  };
}
