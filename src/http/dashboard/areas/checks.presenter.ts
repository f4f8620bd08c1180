import type { ApiKey } from '../../../accounts/key.ts';
import { parseRecord } from '../../../checks/check-record.ts';
import type { FoundChecks, ListedCheck, WholeCheck } from '../../../insights/insights-queries.ts';
import { type Action, type Facts, type Level, presentSummary } from '../../../rules/decision.ts';
import type { ExplainedDecision } from '../../../rules/explain-decision.ts';
import type { FactCatalogue } from '../../../signals/signals.ts';
import { presentDecision, presentLedger } from '../decision.ts';

export function presentFound({ checks, next, searchedBackTo }: FoundChecks) {
  return { checks: checks.map(presentListed), next, searched_back_to: searchedBackTo };
}

function presentListed(check: ListedCheck) {
  return {
    ...presentHead(check),
    label: check.label,
    rules: [...check.rules],
    unknown: [...check.unknown],
  };
}

/** What a list and a page of one check begin with. The table takes only what was decided. */
function presentHead(check: Omit<ListedCheck, 'label' | 'rules' | 'unknown'>) {
  const { id, created_at, account_id, key_id, risk_score, ruleset, domain, address, duration_us } = check;
  return {
    id,
    created_at,
    account_id,
    key_id,
    risk_score,
    ruleset,
    domain,
    address,
    duration_us,
    environment: check.environment as 'live' | 'test',
    action: check.action as Action,
    risk_level: check.risk_level as Level,
  };
}

export interface CheckReader {
  /** Operators see the reason and the owner of an entry of the lists. */
  readonly isOperator: boolean;
  readonly catalogue: FactCatalogue;
  readonly key: ApiKey | undefined;
}

export function presentWhole({ row, labels, version }: WholeCheck, reader: CheckReader) {
  const record = parseRecord(row);
  const { key } = reader;
  return {
    ...presentHead(row),
    person: row.address_hmac,
    key: key ? { name: key.name, prefix: key.prefix } : null,
    ruleset_version: version,
    ledger: presentLedger(record.ledger),
    signals: presentSignals(record, reader),
    challenger: record.challenger,
    labels: labels.map(({ labelledAt, ...label }) => ({ ...label, labelled_at: labelledAt })),
  };
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

/** The reason and the owner of an entry of the lists are shown to operators alone. */
function shownEvidence(evidence: unknown, isOperator: boolean): Record<string, unknown> | null {
  if (typeof evidence !== 'object' || evidence === null) return null;
  const { reason, owner, ...rest } = evidence as Record<string, unknown>;
  return isOperator
    ? { ...rest, ...(reason !== undefined && { reason }), ...(owner !== undefined && { owner }) }
    : rest;
}

function only<Value>(of: Readonly<Record<string, Value>>, isWanted: (key: string) => boolean) {
  return Object.fromEntries(Object.entries(of).filter(([key]) => isWanted(key)));
}

export function presentExplanation(
  { decision, outlook }: ExplainedDecision,
  facts: Facts,
  missing: readonly string[],
) {
  return {
    decision: presentDecision(decision),
    missing: [...missing],
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
