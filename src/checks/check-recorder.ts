import type { ApiKey } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import {
  type AddressPrivacy,
  ledgerWithoutPersonal,
  personalFacts,
  withoutPersonal,
} from '../privacy/address-privacy.ts';
import { presentSummary } from '../rules/decision.ts';
import type { FactCatalogue } from '../signals/signals.ts';
import type { CheckStore, NewCheck } from '../storage/ports.ts';
import type { Assessment } from './assessor.ts';
import type { RecordedChallenge } from './check-record.ts';

/** Makes the record of an answered check, under the operator's choice of privacy, and makes it durable. */
export class CheckRecorder {
  readonly #store: CheckStore;
  readonly #privacy: AddressPrivacy;
  readonly #personalFacts: ReadonlySet<string>;
  /** Of providers that are switched off: not in records, which tell nothing of them to rules that read them once they are on. */
  readonly #disabled: ReadonlySet<string>;

  constructor(store: CheckStore, privacy: AddressPrivacy, { facts }: Pick<FactCatalogue, 'facts'>) {
    this.#store = store;
    this.#privacy = privacy;
    this.#personalFacts = personalFacts(privacy.mode, facts.values());
    this.#disabled = new Set([...facts.values()].filter(({ disabled }) => disabled).map(({ id }) => id));
  }

  /** Rejects with AppError `unavailable` when the row cannot be made durable. */
  record(check: Check, key: ApiKey): Promise<void> {
    return this.#store.append(this.#recordOf(check, key));
  }

  #recordOf(check: Check, key: ApiKey): NewCheck {
    const { id, createdAt, durationUs, address, signals, decision, challenge } = check;
    const { mode } = this.#privacy;
    // Who is outside of several rollouts at once is nearly a person: where records keep none, no list of them is kept.
    const shadowHashes =
      mode === 'none' ? without(check.shadowHashes, new Set(check.rolledOut)) : check.shadowHashes;
    const { facts, unknown, evidence } = withoutPersonal(
      signals,
      this.#personalFacts,
      mode,
      address.canonical.domain,
    );
    const ledger = ledgerWithoutPersonal(decision.ledger, this.#personalFacts, mode);
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
      ...this.#privacy.columns(address),
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
  /** From the call to the decision; that the record is made durable comes after. */
  readonly durationUs: number;
}
