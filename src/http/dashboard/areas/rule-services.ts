import { AuditTrail } from '../../../accounts/audit-trail.ts';
import { RULE_EDITING } from '../../../rule-lab/editing/rule-editing.ts';
import { AUDIT_STORE } from '../../../storage/people-ports.ts';
import { ANALYSTS } from '../access.ts';
import type { Services } from '../endpoint.ts';

const NEEDS = { editing: RULE_EDITING, trail: AuditTrail, audit: AUDIT_STORE };
export type RuleServices = Services<typeof NEEDS>;

/** The one area that the routes of rules, drafts and versions share. */
export const AREA = [
  'rules',
  'Editing rules: drafts, what they would have done, publishing and rolling back.',
  NEEDS,
  ANALYSTS,
] as const;

/** Enough for a rules directory with a long deny list. */
export const FILES_LIMIT_BYTES = 5_000_000;
