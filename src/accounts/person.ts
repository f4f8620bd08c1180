import type { InjectionToken } from '../di.ts';

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

/** A person who may sign in to the dashboard. */
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

/** Whether a person may look into an account: operators into every one, others into those that they are members of. */
export function mayLookInto({ operatorRole, memberships }: Person, accountId: string | null): boolean {
  return operatorRole !== null || memberships.some((membership) => membership.accountId === accountId);
}

/** What a person may do, as the command line, the dashboard and the audit trail show it. */
export function presentRoles({ operatorRole, memberships }: Pick<Person, 'operatorRole' | 'memberships'>) {
  return { operator_role: operatorRole, memberships: memberships.map(presentMembership) };
}

export function presentMembership({ accountId, role }: Membership) {
  return { account_id: accountId, role };
}

export function presentPerson({ id, email, name, createdAt, ...roles }: Person) {
  return { id, email, name, ...presentRoles(roles), created_at: createdAt };
}

/** The person whose session a request carries. */
export interface SignedIn {
  readonly person: Person;
  /** Values of `Set-Cookie` that go with the answer: using a session prolongs it. */
  readonly setCookies: readonly string[];
}

/** Begins, identifies and ends sessions. */
export interface Sessions {
  /** Finds the session of the `Cookie` header; null without a valid session. */
  identify(cookies: string | undefined): Promise<SignedIn | null>;
  /** Null where the email is unknown or the password wrong; both take equally long. */
  begin(email: string, password: string): Promise<SignedIn | null>;
  /** Ends the session of the `Cookie` header for good; returns what makes the browser forget it. */
  end(cookies: string | undefined): Promise<readonly string[]>;
  /** Ends every session of the person and begins another. Null, and nothing changed, with a wrong password or without a session. */
  changePassword(cookies: string | undefined, passwords: PasswordChange): Promise<readonly string[] | null>;
}

export interface PasswordChange {
  readonly current: string;
  readonly next: string;
}

/** Who is signed in. Bound at the first request to the dashboard. */
export const SESSIONS: InjectionToken<Sessions> = Symbol('Sessions');

/** RFC 9110, 11.6.1 wants a challenge with every 401; browsers ignore a scheme that they do not know. */
export const SIGN_IN_CHALLENGE = { 'WWW-Authenticate': 'Cookie realm="postern dashboard"' };

/** A browser takes a `__Host-` cookie from the host itself alone, so that no other host can set it (RFC 6265bis, 4.1.3.2). */
export const SESSION_COOKIE = '__Host-postern_session';
