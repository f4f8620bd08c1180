import { AuditTrail } from '../../../accounts/audit-trail.ts';
import { inject, injectable } from '../../../di.ts';
import { RULE_EDITING, type RuleEditing } from '../../../rule-lab/editing/rule-editing.ts';

/** What the routes of rules, of drafts and of versions share. */
@injectable()
export class RuleServices {
  constructor(
    @inject(RULE_EDITING) readonly editing: RuleEditing,
    @inject(AuditTrail) readonly trail: AuditTrail,
  ) {}
}

export const ANALYSTS = { operator: 'analyst' } as const;
/** Enough for a rules directory with a long deny list. */
export const FILES_LIMIT_BYTES = 5_000_000;
