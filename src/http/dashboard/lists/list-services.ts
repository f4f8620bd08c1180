import type { AuditAction } from '../../../accounts/people/audit-actions.ts';
import { AuditTrail } from '../../../accounts/people/audit-trail.ts';
import type { Person } from '../../../accounts/people/person.ts';
import { ACTIVE_POLICY, type ActivePolicy } from '../../../checks/active-policy.ts';
import { inject, injectable } from '../../../di.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import { compareKeys } from '../../../lib/text.ts';
import { DOWNLOADS, type Downloads } from '../../../lists/list-status.ts';
import { OwnLists } from '../../../lists/own/own-lists.ts';
import type { Clock, DataList } from '../../../provider-kit/index.ts';
import { RULE_EDITING, type RuleEditing } from '../../../rule-lab/editing/rule-editing.ts';
import { listsOf } from '../../../signals/prepare-providers.ts';

/** What the endpoints of lists are handled with. */
@injectable()
export class ListServices {
  readonly downloads: Downloads;
  readonly own: OwnLists;
  readonly clock: Clock;
  readonly #policies: ActivePolicy;
  readonly #trail: AuditTrail;

  constructor(
    @inject(DOWNLOADS) downloads: Downloads,
    @inject(RULE_EDITING) workbench: RuleEditing,
    @inject(ACTIVE_POLICY) policies: ActivePolicy,
    @inject(AuditTrail) trail: AuditTrail,
    @inject(CLOCK) clock: Clock,
  ) {
    this.downloads = downloads;
    const { dir, bench } = workbench.parts;
    this.own = new OwnLists({ dir, bench, publisher: workbench.publisher, clock });
    this.clock = clock;
    this.#policies = policies;
    this.#trail = trail;
  }

  /** What the providers answer from, each list with its provider. */
  get data(): readonly (readonly [provider: string, list: DataList])[] {
    return listsOf(this.#policies.current.providers).toSorted(compareKeys);
  }

  note(
    person: Person,
    action: AuditAction,
    subject: string,
    detail: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    return this.#trail.record({ person, action, subject, detail });
  }
}
