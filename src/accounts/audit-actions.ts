/** Every action of the audit trail, as `<object>.<verb>`. A closed list: new actions are added here. */
export const AUDIT_ACTIONS = [
  'person.signed_in',
  'person.signed_out',
  'person.password_changed',
  'person.password_reset',
  'person.joined',
  'person.roles_changed',
  'person.removed',
  'link.made',
  'link.revoked',
  'account.created',
  'key.issued',
  'key.rotated',
  'key.revoked',
  'check.labelled',
  'check.label_removed',
  'rules.draft_saved',
  'rules.draft_discarded',
  'rules.published',
  'rules.rolled_back',
  'list.entry_added',
  'list.entry_changed',
  'list.entry_removed',
  'list.updated',
  'list.rolled_back',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
