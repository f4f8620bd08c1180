import type { ApiKey } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import { type AddressPrivacy, ledgerWithoutPersonal, withoutPersonal } from '../privacy/address-privacy.ts';
import type { CheckStore, NewCheck } from '../storage/ports.ts';
import type { Assessment } from './assessor.ts';
import { writeChallenge } from './check-record.ts';

/** Makes the record of an answered check, under the operator's choice of privacy, and makes it durable. */
export class CheckRecorder {
  readonly #store: CheckStore;
  readonly #privacy: AddressPrivacy;
  readonly #personalFacts: ReadonlySet<string>;

  constructor(store: CheckStore, privacy: AddressPrivacy, personalFacts: ReadonlySet<string>) {
    this.#store = store;
    this.#privacy = privacy;
    this.#personalFacts = personalFacts;
  }

  /** Rejects with AppError `unavailable` when the row cannot be made durable. */
  record(check: Check, key: ApiKey): Promise<void> {
    return this.#store.append(this.#recordOf(check, key));
  }

  #recordOf(check: Check, key: ApiKey): NewCheck {
    const { id, createdAt, durationUs, address, signals, decision, challenge, shadowHashes } = check;
    const { mode } = this.#privacy;
    const { facts, unknown, evidence } = withoutPersonal(
      signals,
      this.#personalFacts,
      mode,
      address.canonical.domain,
    );
    const ledger = ledgerWithoutPersonal(decision.ledger, this.#personalFacts, mode);
    const columns = this.#privacy.columns(address);
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
      facts,
      unknown: JSON.stringify(unknown),
      evidence: JSON.stringify(evidence),
      ledger: JSON.stringify(ledger),
      timings: signals.timingsUs,
      sources: signals.sources,
      domain: columns.domain,
      address_hmac: columns.address_hmac,
      address: columns.address,
      challenger: challenge && writeChallenge(challenge),
      shadow_rules: Object.keys(shadowHashes).length === 0 ? null : JSON.stringify(shadowHashes),
      duration_us: durationUs,
    };
  }
}

/** Makes each answered check durable before it is answered. */
export const CHECK_RECORDER: InjectionToken<CheckRecorder> = Symbol('CheckRecorder');

/** An answered check. */
export interface Check extends Assessment {
  readonly id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** From the call to the decision; that the record is made durable comes after. */
  readonly durationUs: number;
}
