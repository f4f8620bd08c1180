import type { Dialect } from 'kysely';
import type { Membership, OperatorRole, Person } from '../accounts/person.ts';
import type { InjectionToken } from '../di.ts';

/** Every action of the audit trail, as `<object>.<verb>`. A closed list: new actions are added here. */
export const AUDIT_ACTIONS = [
  'person.signed_in',
  'person.sign_in_failed',
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
  'check.erased',
  'rules.draft_saved',
  'rules.draft_discarded',
  'rules.published',
  'rules.rolled_back',
  'list.made',
  'list.entry_added',
  'list.entry_changed',
  'list.entry_removed',
  'list.updated',
  'list.rolled_back',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** One act. Its id grows with time. */
export interface TrailEntry {
  /** `act_…` */
  readonly id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
  readonly personId: string | null;
  /** As the person was called then; `command line` where it was a command, `unknown` where no such person is known. */
  readonly person: string;
  readonly action: AuditAction;
  readonly subject: string | null;
  readonly accountId: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface TrailSelection {
  /** Only acts that concern one of these accounts; undefined for all acts, those included that concern no account. */
  readonly accountIds?: readonly string[] | undefined;
  readonly personId?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly subject?: string | undefined;
  /** ISO 8601, UTC: done then or later. */
  readonly since?: string | undefined;
  /** Done before then. */
  readonly until?: string | undefined;
  /** Older than this entry. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface AuditStore {
  add(entry: TrailEntry): Promise<void>;
  /** The newest first. */
  list(selection: TrailSelection): Promise<readonly TrailEntry[]>;
}

/** What was done by whom. */
export const AUDIT_STORE: InjectionToken<AuditStore> = Symbol('AuditStore');

export interface NewPerson extends Person {
  readonly passwordHash: string;
}

export type Roles = Pick<Person, 'operatorRole' | 'memberships'>;

export interface PeopleStore {
  find(id: string): Promise<Person | undefined>;
  /** In lower case. */
  findByEmail(email: string): Promise<Person | undefined>;
  /** By joining. */
  list(): Promise<readonly Person[]>;
  /**
   * False, and nothing changed, where there is no such person or no owner would be left. Throws AppError `roles_changed` where `was`
   * is given and the person has other roles by now.
   */
  setRoles(id: string, roles: Roles, entry: TrailEntry, was?: Roles): Promise<boolean>;
  /** Ends the person's sessions too. False, and nothing removed, where there is no such person or no owner would be left. */
  remove(id: string, entry: TrailEntry): Promise<boolean>;
  /** Notes in the revocation log that the session library has set another password: a restore must not bring the old one back. */
  notePassword(id: string, entry: TrailEntry): Promise<void>;
  /** Deletes the sessions that had expired by the instant. */
  deleteEndedSessions(at: string): Promise<void>;
}

/** Who may sign in. */
export const PEOPLE_STORE: InjectionToken<PeopleStore> = Symbol('PeopleStore');

/** What a link does, once: makes the first owner, makes a person with the roles that the link names, or sets a new password. */
export const LINK_PURPOSES = ['setup', 'invitation', 'password'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

export interface OneTimeLink {
  /** `lnk_…` */
  readonly id: string;
  readonly purpose: LinkPurpose;
  /** Email of the person that the link is for; null where the person who opens the link chooses it. */
  readonly email: string | null;
  /** Whose password it sets. */
  readonly personId: string | null;
  readonly operatorRole: OperatorRole | null;
  readonly membership: Membership | null;
  /** A person's id; null for a command or the first start. */
  readonly createdBy: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface NewLink extends OneTimeLink {
  /** SHA-256 of the token. */
  readonly hash: Uint8Array;
}

export interface LinkStore {
  /** Whether a link was ever made for this purpose. */
  hasAny(purpose: LinkPurpose): Promise<boolean>;
  /** Revokes the open link for the same purpose, email and person. Set-up links have neither: a new one revokes the old one. */
  create(link: NewLink, entry: TrailEntry): Promise<void>;
  /** Undefined where there is no such link, or it was used or revoked, or has expired at the instant. */
  findOpen(hash: Uint8Array, at: string): Promise<OneTimeLink | undefined>;
  /** Those that are open at the instant; the newest first. */
  listOpen(at: string): Promise<readonly OneTimeLink[]>;
  /** False where there is no such link, or it is not open any more. */
  revoke(id: string, at: string, entry: TrailEntry): Promise<boolean>;
  /**
   * Uses the link up and makes the person, both or neither. False where the link is not open any more. Rejects with
   * `AppError email_taken` where the email is a person's already.
   */
  join(link: OneTimeLink, person: NewPerson, entry: TrailEntry): Promise<boolean>;
  /** As `join`, but sets a new password for the link's person and ends all sessions of that person. */
  resetPassword(link: OneTimeLink, passwordHash: string, entry: TrailEntry): Promise<boolean>;
}

/** Links that are good once. */
export const LINK_STORE: InjectionToken<LinkStore> = Symbol('LinkStore');

/** What the dashboard keeps of people. */
export interface PeopleStorage {
  readonly people: PeopleStore;
  readonly links: LinkStore;
  readonly trail: AuditStore;
  /** For the library that keeps sessions and brings its own queries; each statement is committed alone. */
  sessionDialect(): Promise<Dialect>;
}
