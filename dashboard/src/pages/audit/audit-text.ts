import type { AuditAction, AuditEntry } from '../../api/audit.ts';

/** What was done, in words that follow the person's name. A new action is a line here: the type asks for it. */
export const ACTION_TEXT: Readonly<Record<AuditAction, string>> = {
  'person.signed_in': 'signed in',
  'person.sign_in_failed': 'failed to sign in',
  'person.signed_out': 'signed out',
  'person.password_changed': 'changed the password',
  'person.password_reset': 'chose a new password by a link',
  'person.joined': 'joined',
  'person.roles_changed': 'changed what a person may do',
  'person.removed': 'removed a person',
  'link.made': 'made a link',
  'link.revoked': 'revoked a link',
  'account.created': 'made an account',
  'key.issued': 'issued a key',
  'key.rotated': 'rotated a key',
  'key.revoked': 'revoked a key',
  'check.labelled': 'labelled a check',
  'check.label_removed': 'took a label off a check',
  'check.erased': 'erased records',
  'rules.draft_saved': 'saved a draft of the rules',
  'rules.draft_discarded': 'discarded a draft of the rules',
  'rules.published': 'published rules',
  'rules.rolled_back': 'rolled the rules back',
  'list.made': 'made a list',
  'list.entry_added': 'added an entry to a list',
  'list.entry_changed': 'changed an entry of a list',
  'list.entry_removed': 'removed an entry of a list',
  'list.updated': 'updated a list',
  'list.rolled_back': 'rolled a list back',
};

/** False for an action of another version, which this page does not know. */
export function isAction(text: string | null): text is AuditAction {
  return text !== null && Object.hasOwn(ACTION_TEXT, text);
}

/** What was done. A label is told with its checks: "labelled 3 checks", "labelled chk_…". */
export function describeDeed({ action, subject }: Pick<AuditEntry, 'action' | 'subject'>): string {
  return isAction(action) ? ACTION_TEXT[action].replace('a check', subject ?? 'a check') : action;
}

/** The plain particulars in one line. Nested ones, such as roles before and after, are left to `deepDetail`. */
export function describeDetail({ detail }: Pick<AuditEntry, 'detail'>): string {
  return Object.entries(detail)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`)
    .join(' · ');
}

/** The particulars that do not fit into a line, as JSON; null where there are none. */
export function deepDetail({ detail }: Pick<AuditEntry, 'detail'>): string | null {
  const deep = Object.entries(detail).filter(([, value]) => typeof value === 'object' && value !== null);
  return deep.length === 0 ? null : JSON.stringify(Object.fromEntries(deep), null, 2);
}
