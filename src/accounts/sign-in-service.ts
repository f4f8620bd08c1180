import { hashPassword } from 'better-auth/crypto';
import { inject, injectable } from '../di.ts';
import { AppError } from '../errors.ts';
import { FairQueue } from '../lib/concurrency.ts';
import { CLOCK, isoTime } from '../lib/time.ts';
import { createUlids } from '../lib/ulids.ts';
import { clientNetwork } from '../net/public-address.ts';
import type { Clock } from '../provider-kit/index.ts';
import { ATTEMPT_THROTTLE, type AttemptThrottle } from '../shared-state/ports.ts';
import {
  LINK_STORE,
  type LinkStore,
  type OneTimeLink,
  PEOPLE_STORE,
  type PeopleStore,
} from '../storage/people-ports.ts';
import { AuditTrail } from './audit-trail.ts';
import { LinkService } from './link-service.ts';
import { weaknessOf } from './password-policy.ts';
import {
  type PasswordChange,
  type Person,
  SESSIONS,
  type Sessions,
  SIGN_IN_CHALLENGE,
  type SignedIn,
} from './person.ts';

/** The client of a request: its address, and a signal that is aborted when the client leaves. */
export interface Client {
  readonly clientAddress: string;
  readonly asking: { readonly signal: AbortSignal };
}

/**
 * Hashing a password takes a thread of libuv's pool for a tenth of a second. The pool has four threads, which certificates, cookies,
 * logs and compressed answers need too. Further passwords wait, and clients take turns.
 */
const PASSWORDS_AT_ONCE = 2;

export interface Redemption {
  readonly token: string;
  readonly password: string;
  /** For a new person. */
  readonly name?: string | undefined;
  /** For a new person whose link has no email. */
  readonly email?: string | undefined;
}

/** Signing in, by password or by a one-time link, and changing the password. */
@injectable()
export class SignInService {
  readonly #nextUlid = createUlids();
  readonly #passwords = new FairQueue(PASSWORDS_AT_ONCE);

  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(PEOPLE_STORE) private readonly people: PeopleStore,
    @inject(LINK_STORE) private readonly links: LinkStore,
    @inject(LinkService) private readonly linkService: LinkService,
    @inject(ATTEMPT_THROTTLE) private readonly throttle: AttemptThrottle,
    @inject(AuditTrail) private readonly trail: AuditTrail,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws AppError `wrong_credentials`, whichever of the two is wrong, or `rate_limited`. */
  async signIn(email: string, password: string, client: Client): Promise<SignedIn> {
    const { clientAddress } = client;
    return await this.#tried(client, email, async () => {
      const signedIn = await this.#begin(email, password, client);
      // The trail never holds the typed email: it may be a password in the wrong field.
      const known = signedIn?.person ?? (await this.people.findByEmail(email.toLowerCase()));
      const action = signedIn ? 'person.signed_in' : 'person.sign_in_failed';
      const detail = signedIn ? {} : { client_address: clientAddress };
      await this.trail.record({ person: known ?? { id: null, email: 'unknown' }, action, detail });
      return signedIn;
    });
  }

  async signOut(person: Person, cookies: string | undefined): Promise<readonly string[]> {
    const setCookies = await this.sessions.end(cookies);
    await this.trail.record({ person, action: 'person.signed_out' });
    return setCookies;
  }

  /** Ends all other sessions. Throws AppError `wrong_credentials`, `weak_password` or `rate_limited`. */
  async changePassword(
    person: Person,
    cookies: string | undefined,
    passwords: PasswordChange,
    client: Client,
  ): Promise<readonly string[]> {
    refuseWeak(passwords.next, person, 'new_password');
    const setCookies = await this.#tried(client, person.email, () =>
      this.#inTurn(client, () => this.sessions.changePassword(cookies, passwords)),
    );
    await this.people.notePassword(
      person.id,
      this.trail.entry({ person, action: 'person.password_changed' }),
    );
    return setCookies;
  }

  /**
   * Uses a link and signs its person in. Throws AppError `invalid_link`, `invalid_request` where name or email
   * is missing, `weak_password` or `email_taken`; the link stays valid then.
   */
  async redeem({ token, password, name, email }: Redemption, client: Client): Promise<SignedIn> {
    const link = await this.linkService.open(token);
    const person =
      link.purpose === 'password'
        ? await this.#resetPassword(link, password, client)
        : await this.#join(link, { password, name, email }, client);
    const signedIn = await this.#begin(person.email, password, client);
    if (!signedIn) throw new Error(`${person.id} was let in and cannot sign in`);
    return signedIn;
  }

  async #join(link: OneTimeLink, given: Omit<Redemption, 'token'>, client: Client): Promise<Person> {
    const { password } = given;
    const name = given.name?.trim() ?? '';
    const email = link.email ?? given.email?.toLowerCase() ?? '';
    const missing = [name === '' && 'name', email === '' && 'email'].filter((member) => member !== false);
    if (missing.length > 0) {
      const details = missing.map((member) => ({ path: `body/${member}`, message: 'is missing' }));
      throw new AppError('invalid_request', { details });
    }
    refuseWeak(password, { email, name });
    const now = this.clock.now();
    const { operatorRole, membership } = link;
    const person: Person = {
      id: `per_${this.#nextUlid(now)}`,
      email,
      name,
      operatorRole,
      memberships: membership === null ? [] : [membership],
      createdAt: isoTime(now),
    };
    const entry = this.trail.entry({
      person,
      action: 'person.joined',
      subject: person.id,
      accountId: membership?.accountId ?? null,
      detail: { link: link.id, role: operatorRole ?? membership?.role ?? null },
    });
    const passwordHash = await this.#inTurn(client, () => hashPassword(password));
    if (!(await this.links.join(link, { ...person, passwordHash }, entry)))
      throw new AppError('invalid_link');
    return person;
  }

  async #resetPassword(link: OneTimeLink, password: string, client: Client): Promise<Person> {
    const person = link.personId === null ? undefined : await this.people.find(link.personId);
    if (!person) throw new AppError('invalid_link');
    refuseWeak(password, person);
    const entry = this.trail.entry({
      person,
      action: 'person.password_reset',
      subject: person.id,
      detail: { link: link.id },
    });
    const passwordHash = await this.#inTurn(client, () => hashPassword(password));
    if (!(await this.links.resetPassword(link, passwordHash, entry))) throw new AppError('invalid_link');
    return person;
  }

  #begin(email: string, password: string, client: Client): Promise<SignedIn | null> {
    return this.#inTurn(client, () => this.sessions.begin(email, password));
  }

  /** Waits for a free slot; the work is dropped if the client leaves before it begins. */
  #inTurn<T>({ clientAddress, asking }: Client, work: () => Promise<T>): Promise<T> {
    return this.#passwords.run(clientNetwork(clientAddress), work, asking.signal);
  }

  /** Counts the attempt before it is made, so that parallel attempts are limited like consecutive ones. */
  async #tried<T>({ clientAddress }: Client, email: string, attempt: () => Promise<T | null>): Promise<T> {
    const verdict = await this.throttle.beginSignIn(clientAddress, email);
    if (!verdict.allowed) throw new AppError('rate_limited', { retryAfterMs: verdict.resetMs });
    const outcome = await attempt();
    if (outcome === null) throw new AppError('wrong_credentials', { headers: SIGN_IN_CHALLENGE });
    await verdict.succeeded();
    return outcome;
  }
}

function refuseWeak(password: string, person: Pick<Person, 'email' | 'name'>, member = 'password'): void {
  const message = weaknessOf(password, person);
  if (message !== undefined)
    throw new AppError('weak_password', { details: [{ path: `body/${member}`, message }] });
}
