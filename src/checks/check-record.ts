import { NOT_STORED } from '../privacy/address-privacy.ts';
import type { Facts, LedgerEntry, Outcome, presentSummary } from '../rules/decision.ts';
import { bucketOf, withBucket } from '../rules/rollout.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { domainFacts } from '../signals/domain-facts.ts';
import type { FactCatalogue } from '../signals/signals.ts';
import type { CheckRow } from '../storage/ports.ts';

/** The column `challenger` of a record. No fact and no rule is in it, so nothing personal can be. */
export type RecordedChallenge = ReturnType<typeof presentSummary> & Pick<Outcome, 'ruleset'>;

/** The reason for a fact that no provider was asked for then: it was declared after the check, or switched off. */
const NOT_RECORDED = 'not_recorded';

/** Facts that rules might have read and that a record does not have: what rules make of it without them shows nothing. */
export function notInRecord(unknown: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(unknown).filter((id) => unknown[id] === NOT_RECORDED || unknown[id] === NOT_STORED);
}

/**
 * The facts of a record as the rules of today read them. One that the record does not have is unknown; one that is no longer
 * declared is left out, and what the domain tells is read off it where the record is older than these facts. The side of rollouts follows
 * from the hash of the address.
 */
export function recordedFacts(
  {
    facts,
    unknown,
    domain,
    address_hmac,
  }: Pick<CheckRecord, 'facts' | 'unknown' | 'domain' | 'address_hmac'>,
  catalogue: FactCatalogue,
  ruleSet: Pick<RuleSet, 'rollouts'>,
) {
  const { facts: declared } = catalogue;
  const ids = [...declared.keys()];
  const all = facts['address.domain'] === undefined ? { ...facts, ...domainFacts(domain, catalogue) } : facts;
  const declaredFacts: Facts = Object.fromEntries(ids.map((id) => [id, all[id] ?? null]));
  const known = withBucket(declaredFacts, ruleSet, () => bucketOf(address_hmac));
  const open = Object.keys(known).filter((id) => known[id] === null);
  return {
    facts: known,
    /** Why each null is null. */
    unknown: Object.fromEntries(
      open.map((id) => [id, unknown[id] ?? (declared.get(id)?.disabled ? 'not_run' : NOT_RECORDED)]),
    ),
  };
}

/** A row of `checks` with its JSON columns parsed. */
export type CheckRecord = ReturnType<typeof parseRecord>;

/** Throws where the database has lost what a check shares with others. */
export function parseRecord(row: CheckRow) {
  // What was recorded is what is read: the columns of a record are those that the recorder writes.
  return {
    ...row,
    facts: JSON.parse(row.facts) as Facts,
    unknown: JSON.parse(row.unknown) as Readonly<Record<string, string>>,
    evidence: JSON.parse(row.evidence) as Readonly<Record<string, unknown>>,
    ledger: JSON.parse(row.ledger) as readonly LedgerEntry[],
    timings: JSON.parse(row.timings) as Readonly<Record<string, number>>,
    sources: JSON.parse(row.sources) as Readonly<Record<string, string>>,
    challenger: JSON.parse(row.challenger ?? 'null') as RecordedChallenge | null,
    shadow_rules: JSON.parse(row.shadow_rules ?? 'null') as Readonly<Record<string, string>> | null,
  };
}
