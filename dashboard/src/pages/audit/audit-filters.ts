import type { AuditFilter } from '../../api/audit.ts';
import { isAction } from './audit-text.ts';

/** Reads `?action=…&person=…&since=…&until=…`; a value that cannot be read is left out. */
export function readFilter(search: URLSearchParams, accountId: string | undefined): AuditFilter {
  const action = search.get('action');
  const person = search.get('person');
  const [since, until] = [dayIn(search, 'since'), dayIn(search, 'until')];
  return {
    ...(accountId !== undefined && { account_id: accountId }),
    ...(isAction(action) && { action }),
    ...(person !== null && person !== '' && { person_id: person }),
    ...(since !== null && { since }),
    // The chosen last day belongs to the range; the service takes an exclusive end.
    ...(until !== null && { until: dayAfter(until) }),
  };
}

export function dayIn(search: URLSearchParams, name: 'since' | 'until'): string | null {
  const text = search.get(name) ?? '';
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}
