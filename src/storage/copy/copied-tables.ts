/** Rows that are copied one after the other, in the order of their key. */
export interface CopiedRows {
  /** For people, and for the note of how far a copy has come. */
  readonly name: string;
  readonly table: string;
  /** No two of these rows have the same, and none has a null in it. */
  readonly key: readonly string[];
  /** Which rows of the table; all where it is absent. */
  readonly where?: string;
  /** Columns that refer to rows of the same table, which may come later: set when all rows are there. */
  readonly references?: readonly string[];
  /** Rows of a step, of some megabytes; 500 unless given. */
  readonly rowsAtOnce?: number;
}

/** Files of rules, of which a row may hold all. */
const FEW = 20;

/** All that is copied, what is referred to before what refers to it. `checks` go by time, in whose order both databases have them. */
export const COPIED: readonly CopiedRows[] = [
  { name: 'accounts', table: 'accounts', key: ['id'] },
  { name: 'api_keys', table: 'api_keys', key: ['id'], references: ['replaced_by', 'family'] },
  { name: 'checks', table: 'checks', key: ['created_at', 'id'] },
  {
    name: 'labels of checks',
    table: 'labels',
    key: ['check_id'],
    where: 'check_id IS NOT NULL',
  },
  {
    name: 'labels of people',
    table: 'labels',
    key: ['address_hmac', 'account_id'],
    where: 'address_hmac IS NOT NULL',
  },
  { name: 'usage', table: 'usage', key: ['account_id', 'month'] },
  { name: 'check_hours', table: 'check_hours', key: ['account_id', 'hour'] },
  { name: 'people', table: 'people', key: ['id'] },
  { name: 'memberships', table: 'memberships', key: ['person_id', 'account_id'] },
  { name: 'credentials', table: 'credentials', key: ['id'] },
  { name: 'sessions', table: 'sessions', key: ['id'] },
  { name: 'one_time_links', table: 'one_time_links', key: ['id'] },
  { name: 'audit_trail', table: 'audit_trail', key: ['id'] },
  { name: 'rule_texts', table: 'rule_texts', key: ['digest'], rowsAtOnce: FEW },
  { name: 'rule_versions', table: 'rule_versions', key: ['version'] },
  { name: 'rule_announcements', table: 'rule_announcements', key: ['digest'] },
  { name: 'rule_complaint', table: 'rule_complaint', key: ['id'] },
  { name: 'rule_drafts', table: 'rule_drafts', key: ['id'], rowsAtOnce: FEW },
  { name: 'provider_values', table: 'provider_values', key: ['provider', 'key'] },
  // Secrets go to where the target looks for them, which may be a file.
  {
    name: 'service_state',
    table: 'service_state',
    key: ['name'],
    where: "name NOT IN ('hmac_secret', 'session_secret', 'unfinished_copy')",
  },
];

/** Tables that are of one database alone; the downloaded lists are copied by their own stores. */
export const NOT_COPIED: readonly string[] = [
  'migrations',
  'storage_copy',
  'downloaded_lists',
  'list_snapshots',
];
