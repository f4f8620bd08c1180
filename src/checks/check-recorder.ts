import type { ApiKey } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import { type AddressPrivacy, ledgerWithoutPersonal, withoutPersonal } from '../privacy/address-privacy.ts';
import type { CheckStore, NewCheck } from '../storage/ports.ts';
import { writeChallenge } from './check-record.ts';
import type { Check } from './check-service.ts';

/** Turns an answered check into what is recorded of it, under the operator's choice of privacy, and makes it durable. */
export class CheckRecorder {
  readonly #store: CheckStore;
  readonly #privacy: AddressPrivacy;
  readonly #personalFacts: ReadonlySet<string>;
  /** The shadow rules and their JSON: the same object from one reload to the next. */
  readonly #shadowHashes = new RepeatedJson();

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
      shadow_rules: isEmpty(shadowHashes) ? null : this.#shadowHashes.of(shadowHashes),
      duration_us: durationUs,
    };
  }
}

/** Makes each answered check durable before it is answered. */
export const CHECK_RECORDER: InjectionToken<CheckRecorder> = Symbol('CheckRecorder');

/** The JSON of an object that is the same one from check to check. */
class RepeatedJson {
  #object: object | undefined;
  #json = '';

  of(object: object): string {
    if (this.#object !== object) {
      this.#object = object;
      this.#json = JSON.stringify(object);
    }
    return this.#json;
  }
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
