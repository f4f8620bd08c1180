import type { ApiKey } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import {
  type AddressPrivacy,
  ledgerWithoutPersonal,
  NOT_STORED,
  personalFacts,
  withoutPersonal,
} from '../privacy/address-privacy.ts';
import { type Facts, type LedgerEntry, type Outcome, presentSummary } from '../rules/decision.ts';
import { bucketOf, withBucket } from '../rules/rollout.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { domainFacts } from '../signals/domain-facts.ts';
import { fits } from '../signals/read-answer.ts';
import type { CataloguedFact, FactCatalogue } from '../signals/signals.ts';
import type { CheckRow, CheckStore, NewCheck } from '../storage/ports.ts';
import type { Assessment } from './assessor.ts';

/** The column `challenger` of a record. No fact and no rule is in it, so nothing personal can be. */
export type RecordedChallenge = ReturnType<typeof presentSummary> & Pick<Outcome, 'ruleset'>;

/** The reason for a fact that no provider was asked for at the time: it was declared after the check, or switched off then. */
const NOT_RECORDED = 'not_recorded';

/** Ids of facts that rules might have read but the record lacks: a decision that is worked out without them shows nothing. */
export function notInRecord(unknown: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(unknown).filter((id) => unknown[id] === NOT_RECORDED || unknown[id] === NOT_STORED);
}

/**
 * The facts of a record as today's rules read them. A fact is unknown where its provider is switched off now, or the record lacks it or
 * has it with a value that is not possible any more. A fact that is not declared any more is left out. Facts of the domain are computed where the record is older than those facts.
 * The rollout bucket follows from the hash of the address.
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
  const all = facts['address.domain'] === undefined ? { ...facts, ...domainFacts(domain, catalogue) } : facts;
  const readFact = ([id, fact]: readonly [string, CataloguedFact]) => {
    const value = all[id];
    return [id, fits(value, fact) && !fact.disabled ? value : null] as const;
  };
  const declaredFacts: Facts = Object.fromEntries([...declared].map(readFact));
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

/** Throws a SyntaxError where a column is not JSON. */
export function parseRecord(row: CheckRow) {
  // Not validated: the columns of a record are those that the recorder writes.
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

/** Makes the record of an answered check, under the operator's choice of privacy, and makes it durable. */
export class CheckRecorder {
  readonly #personalFacts: ReadonlySet<string>;
  /** Facts of providers that are switched off. Records leave them out, so that they are `not_recorded` once the provider is on. */
  readonly #disabled: ReadonlySet<string>;

  constructor(
    private readonly store: CheckStore,
    private readonly privacy: AddressPrivacy,
    { facts }: Pick<FactCatalogue, 'facts'>,
  ) {
    this.#personalFacts = personalFacts(privacy.mode, facts.values());
    this.#disabled = new Set([...facts.values()].filter(({ disabled }) => disabled).map(({ id }) => id));
  }

  /** Rejects with AppError `unavailable` when the row cannot be made durable. */
  record(check: Check, key: ApiKey): Promise<void> {
    return this.store.append(this.#recordOf(check, key));
  }

  #recordOf(check: Check, key: ApiKey): NewCheck {
    const { id, createdAt, durationUs, address, signals, decision, challenge } = check;
    const { mode } = this.privacy;
    // The rollouts that a person is outside of nearly identify the person, so mode `none` keeps no list of them.
    const shadowHashes =
      mode === 'none' ? without(check.shadowHashes, new Set(check.rolledOut)) : check.shadowHashes;
    const { facts, unknown, evidence } = withoutPersonal(
      signals,
      this.#personalFacts,
      mode,
      address.canonical.domain,
    );
    const ledger = ledgerWithoutPersonal(decision.ledger, this.#personalFacts);
    const challenger: RecordedChallenge | null = challenge && {
      ruleset: challenge.ruleset,
      ...presentSummary(challenge),
    };
    return {
      id,
      created_at: createdAt,
      account_id: key.accountId,
      key_id: key.id,
      environment: key.environment,
      action: decision.action,
      risk_score: decision.score,
      risk_level: decision.level,
      ruleset: decision.ruleset,
      facts: without(facts, this.#disabled),
      unknown: JSON.stringify(without(unknown, this.#disabled)),
      evidence: JSON.stringify(evidence),
      ledger: JSON.stringify(ledger),
      timings: signals.timingsUs,
      sources: signals.sources,
      ...this.privacy.columns(address),
      challenger: challenger && JSON.stringify(challenger),
      shadow_rules: Object.keys(shadowHashes).length === 0 ? null : JSON.stringify(shadowHashes),
      duration_us: durationUs,
    };
  }
}

function without<Value>(
  members: Readonly<Record<string, Value>>,
  left: ReadonlySet<string>,
): Readonly<Record<string, Value>> {
  if (left.size === 0) return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => !left.has(name)));
}

export const CHECK_RECORDER: InjectionToken<CheckRecorder> = Symbol('CheckRecorder');

export interface Check extends Assessment {
  readonly id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** From the call to the decision, without the time to make the record durable. */
  readonly durationUs: number;
}
