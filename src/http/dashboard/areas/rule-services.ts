import type { AuditAction } from '../../../accounts/audit-actions.ts';
import { AuditTrail } from '../../../accounts/audit-trail.ts';
import type { Person } from '../../../accounts/person.ts';
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

export const ANALYSTS = { operator: 'analyst' } as const;
/** A directory of rules with a long deny list. */
export const FILES_LIMIT_BYTES = 5_000_000;
