/** What a person may do for the whole installation. */
export const OPERATOR_ROLES = ['owner', 'analyst'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** What a person may do within one account. */
export const ACCOUNT_ROLES = ['developer', 'viewer'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

export interface Membership {
  readonly accountId: string;
  readonly role: AccountRole;
}

/** Who may sign in to the dashboard. */
export interface Person {
  /** `per_…` */
  readonly id: string;
  /** In lower case; no two have the same. */
  readonly email: string;
  readonly name: string;
  /** Null where the person is only a member of accounts. */
  readonly operatorRole: OperatorRole | null;
  readonly memberships: readonly Membership[];
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
}
