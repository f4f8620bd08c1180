import { inject, injectable } from '../di.ts';
import { CLOCK, isoTime } from '../lib/time.ts';
import { createUlids } from '../lib/ulids.ts';
import type { Clock } from '../provider-kit/index.ts';
import { AUDIT_STORE, type AuditStore, type TrailEntry } from '../storage/people-ports.ts';
import type { Person } from './person.ts';

/** `detail` never holds a secret, a password or an address that was checked. */
export interface Act
  extends Pick<TrailEntry, 'action'>,
    Partial<Pick<TrailEntry, 'subject' | 'accountId' | 'detail'>> {
  /** Null for a command, whose user may read the data directory. `id` is null where the person is not known. */
  readonly person: (Pick<Person, 'email'> & { readonly id: string | null }) | null;
}

/** Makes the entry of an act by one person, or by a command, for services that commit it together with what is done. */
export type Noting = (act: Omit<Act, 'person'>) => TrailEntry;

/** Who did what, and when. */
@injectable()
export class AuditTrail {
  readonly #nextUlid = createUlids();

  constructor(
    @inject(AUDIT_STORE) private readonly store: AuditStore,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** An entry that a store commits together with the action itself: both or neither. */
  entry({ person, ...act }: Act): TrailEntry {
    const now = this.clock.now();
    return {
      id: `act_${this.#nextUlid(now)}`,
      at: isoTime(now),
      personId: person?.id ?? null,
      person: person?.email ?? 'command line',
      subject: null,
      accountId: null,
      detail: {},
      ...act,
    };
  }

  noting(person: Person | null): Noting {
    return (act) => this.entry({ person, ...act });
  }

  /** For an action that is not committed by one of the stores. */
  async record(act: Act): Promise<void> {
    await this.store.add(this.entry(act));
  }
}
