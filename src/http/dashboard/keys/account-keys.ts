import type { ApiKey, Environment, NewApiKey } from '../../../accounts/keys/key.ts';
import {
  type CreatedKey,
  KeyService,
  NotFoundError,
  NotRotatableError,
  type RotatedKey,
} from '../../../accounts/keys/key-service.ts';
import { type Act, AuditTrail } from '../../../accounts/people/audit-trail.ts';
import type { Person } from '../../../accounts/people/person.ts';
import { inject, injectable } from '../../../di.ts';
import { AppError } from '../../../errors.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import type { Clock } from '../../../provider-kit/index.ts';

/** The keys of an account, changed by people: who did it stands in the audit trail, committed with it. */
@injectable()
export class AccountKeys {
  readonly #keys: KeyService;
  readonly #trail: AuditTrail;
  readonly clock: Clock;

  constructor(
    @inject(KeyService) keys: KeyService,
    @inject(AuditTrail) trail: AuditTrail,
    @inject(CLOCK) clock: Clock,
  ) {
    this.#keys = keys;
    this.#trail = trail;
    this.clock = clock;
  }

  list(accountId: string): Promise<readonly ApiKey[]> {
    return this.#keys.listKeys(accountId);
  }

  issue(
    wanted: { readonly accountId: string; readonly environment: Environment; readonly name: string },
    person: Person,
  ): Promise<CreatedKey> {
    return this.#keys.createKey(wanted, (key) => this.#entry('key.issued', key, person, {}));
  }

  /** Throws AppError `not_found` or `not_rotatable`. */
  async rotate(accountId: string, id: string, graceSeconds: number, person: Person): Promise<RotatedKey> {
    await this.#find(accountId, id);
    try {
      return await this.#keys.rotateKey(id, graceSeconds * 1000, (successor, expiresAt) =>
        this.#entry('key.rotated', { ...successor, id }, person, {
          replaced_by: successor.id,
          expires_at: expiresAt,
        }),
      );
    } catch (error) {
      if (error instanceof NotRotatableError) throw new AppError('not_rotatable');
      throw error;
    }
  }

  /** One that was revoked before stays as it is. Throws AppError `not_found`. */
  async revoke(accountId: string, id: string, person: Person): Promise<ApiKey> {
    const key = await this.#find(accountId, id);
    if (key.revokedAt !== null) return key;
    return this.#keys.revokeKey(id, this.#entry('key.revoked', key, person, {}));
  }

  async #find(accountId: string, id: string): Promise<ApiKey> {
    try {
      return await this.#keys.keyOf(accountId, id);
    } catch (error) {
      if (error instanceof NotFoundError) throw new AppError('not_found');
      throw error;
    }
  }

  #entry(
    action: Act['action'],
    { id, accountId, name, environment }: Pick<NewApiKey, 'id' | 'accountId' | 'name' | 'environment'>,
    person: Person,
    more: Readonly<Record<string, unknown>>,
  ) {
    const detail = { name, environment, ...more };
    return this.#trail.entry({ person, action, subject: id, accountId, detail });
  }
}
