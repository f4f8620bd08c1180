import { randomBytes } from 'node:crypto';
import { inject, injectable } from '../di.ts';
import { AppError } from '../errors.ts';
import { CLOCK, DAY_MS, isoTime } from '../lib/time.ts';
import { createUlids } from '../lib/ulids.ts';
import type { Clock } from '../provider-kit/index.ts';
import {
  LINK_STORE,
  type LinkPurpose,
  type LinkStore,
  type OneTimeLink,
  type PeopleStore,
  type Roles,
} from '../storage/people-ports.ts';
import { AuditTrail } from './audit-trail.ts';
import { hashSecret } from './key.ts';
import { type Person, presentMembership } from './person.ts';

/** How long a link works: the person who starts Postern is present; an invited person may be on holiday. */
const LIFE_MS: Readonly<Record<LinkPurpose, number>> = {
  setup: DAY_MS,
  invitation: 7 * DAY_MS,
  password: DAY_MS,
};

export interface MadeLink {
  readonly link: OneTimeLink;
  /** To be handed over. Its token is in the fragment, which browsers never send, so that it appears in no log; it is not stored. */
  readonly path: string;
}

/** A link as it is shown, without its token. */
export function presentOpenLink(link: OneTimeLink) {
  const { id, purpose, email, personId, operatorRole, membership, createdBy, createdAt, expiresAt } = link;
  return {
    id,
    purpose,
    email,
    person_id: personId,
    operator_role: operatorRole,
    membership: membership && presentMembership(membership),
    created_by: createdBy,
    created_at: createdAt,
    expires_at: expiresAt,
  };
}

/** Makes and revokes one-time links. Postern sends no mail: the person who makes a link hands it over. */
@injectable()
export class LinkService {
  readonly #nextUlid = createUlids();

  constructor(
    @inject(LINK_STORE) private readonly links: LinkStore,
    @inject(AuditTrail) private readonly trail: AuditTrail,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** For an owner whose email is not known yet. A link made before ends. */
  makeSetupLink(): Promise<MadeLink> {
    return this.#make('setup', { operatorRole: 'owner' }, null);
  }

  /** Invites a person as an operator or as a member of one account. A link that was made before for the same email ends. */
  invite(
    invited: Pick<OneTimeLink, 'operatorRole' | 'membership'> & { readonly email: string },
    by: Person,
  ): Promise<MadeLink> {
    return this.#make('invitation', invited, by);
  }

  /** Lets a person choose a new password. Nothing changes before it is used. */
  makePasswordLink({ id, email }: Person, by: Person | null): Promise<MadeLink> {
    return this.#make('password', { personId: id, email }, by);
  }

  /** Every link that can still be used, the newest first. Tokens are not stored. */
  listOpen(): Promise<readonly OneTimeLink[]> {
    return this.links.listOpen(this.#now());
  }

  /** Undefined where there is no such open link. */
  async revoke(id: string, by: Person | null): Promise<OneTimeLink | undefined> {
    const link = (await this.listOpen()).find((open) => open.id === id);
    if (!link) return undefined;
    const entry = this.trail.entry({ person: by, action: 'link.revoked', ...describeLink(link) });
    // Undefined also where the link was used in the meantime.
    return (await this.links.revoke(id, this.#now(), entry)) ? link : undefined;
  }

  /** The link that a token opens. Throws AppError `invalid_link` where it was used or revoked, or is over. */
  async open(token: string): Promise<OneTimeLink> {
    const link = await this.links.findOpen(hashSecret(token), this.#now());
    if (!link) throw new AppError('invalid_link');
    return link;
  }

  async #make(
    purpose: LinkPurpose,
    part: Partial<Pick<OneTimeLink, 'email' | 'personId' | 'membership'>> & Partial<Roles>,
    by: Person | null,
  ): Promise<MadeLink> {
    // 256 bits cannot be guessed.
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    const link: OneTimeLink = {
      id: `lnk_${this.#nextUlid(now)}`,
      purpose,
      email: null,
      personId: null,
      operatorRole: null,
      membership: null,
      ...part,
      createdBy: by?.id ?? null,
      createdAt: this.#now(),
      expiresAt: isoTime(now + LIFE_MS[purpose]),
    };
    const entry = this.trail.entry({ person: by, action: 'link.made', ...describeLink(link) });
    await this.links.create({ ...link, hash: hashSecret(token) }, entry);
    return { link, path: `/setup#${token}` };
  }

  #now(): string {
    return isoTime(this.clock.now());
  }
}

/** The parts of a link that the audit trail holds. */
function describeLink({ id, purpose, email, operatorRole, membership }: OneTimeLink) {
  return {
    subject: id,
    accountId: membership?.accountId ?? null,
    detail: { purpose, email, role: operatorRole ?? membership?.role ?? null },
  };
}

/** The path of a new set-up link for the first owner; null if people or a set-up link exist. `postern people setup-link` makes others. */
export async function createFirstLink(people: PeopleStore, links: LinkStore, service: LinkService) {
  if ((await people.list()).length > 0 || (await links.hasAny('setup'))) return null;
  return (await service.makeSetupLink()).path;
}
