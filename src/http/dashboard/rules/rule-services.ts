import type { AuditAction } from '../../../accounts/people/audit-actions.ts';
import { AuditTrail } from '../../../accounts/people/audit-trail.ts';
import type { Person } from '../../../accounts/people/person.ts';
import { inject, injectable } from '../../../di.ts';
import { RULE_EDITING, type RuleEditing } from '../../../rule-lab/editing/rule-editing.ts';

/** What the endpoints of rules are handled with. */
@injectable()
export class RuleServices {
  readonly workbench: RuleEditing;
  readonly #trail: AuditTrail;

  constructor(@inject(RULE_EDITING) workbench: RuleEditing, @inject(AuditTrail) trail: AuditTrail) {
    this.workbench = workbench;
    this.#trail = trail;
  }

  note(
    person: Person,
    action: AuditAction,
    subject: string,
    detail: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    return this.#trail.record({ person, action, subject, detail });
  }
}
