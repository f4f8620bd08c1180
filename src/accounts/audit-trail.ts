import { inject, injectable } from '../di.ts';
import { isoTime } from '../lib/dates.ts';
import { CLOCK } from '../lib/system-clock.ts';
import { createUlids } from '../lib/ulids.ts';
import type { Clock } from '../provider-kit/index.ts';
import {
  AUDIT_STORE,
  type AuditStore,
  type TrailEntry,
  type TrailSelection,
} from '../storage/people-ports.ts';
import type { AuditAction } from './audit-actions.ts';
import type { Person } from './person.ts';

export interface Act {
  /** Null for a command: its user may read the data directory. */
  readonly person: Pick<Person, 'id' | 'email'> | null;
  readonly action: AuditAction;
  /** The id of what it was done to: `key_…`, `per_…`, a domain. */
  readonly subject?: string | null;
  /** The account whose members may read the entry; null for operators alone. */
  readonly accountId?: string | null;
  /** Details. Never a secret, a password or an address that was checked. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Who did what, and when. */
@injectable()
export class AuditTrail {
  readonly #nextUlid = createUlids();

  constructor(
    @inject(AUDIT_STORE) private readonly store: AuditStore,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** An entry that a store commits together with the action itself: both or neither. */
  entry({ person, action, subject = null, accountId = null, detail = {} }: Act): TrailEntry {
    const now = this.clock.now();
    return {
      id: `act_${this.#nextUlid(now)}`,
      at: isoTime(now),
      personId: person?.id ?? null,
      person: person?.email ?? 'command line',
      action,
      subject,
      accountId,
      detail,
    };
  }

  /** For an action that is not committed by one of the stores. */
  async record(act: Act): Promise<void> {
    await this.store.add(this.entry(act));
  }

  /** The newest first. */
  list(selection: TrailSelection): Promise<readonly TrailEntry[]> {
    return this.store.list(selection);
  }
}
