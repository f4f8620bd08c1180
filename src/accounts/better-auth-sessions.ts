import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { type Dialect, Kysely } from 'kysely';
import { DAY_MS } from '../lib/time.ts';
import { createUlids } from '../lib/ulids.ts';
import type { Logger } from '../observability/logger.ts';
import type { PeopleStore } from '../storage/people-ports.ts';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './password-policy.ts';
import { type PasswordChange, SESSION_COOKIE, type Sessions, type SignedIn } from './person.ts';

export interface BetterAuthOptions {
  readonly dialect: Dialect;
  readonly people: PeopleStore;
  /** Signs the cookies. */
  readonly secret: Buffer;
  /** A session that is not used for so long ends. */
  readonly idleSeconds: number;
  readonly log: Logger;
}

/** A session ends after this time even if it is used: NIST SP 800-63B-4, 2.1.3 asks for 30 days at most. */
const LONGEST_SESSION_MS = 30 * DAY_MS;
/** The use of a session is written at most this often. */
const TOUCH_SECONDS = 300;

/** Sessions and passwords by better-auth, on our own tables. No other file uses it. */
export class BetterAuthSessions implements Sessions {
  readonly #auth: ReturnType<typeof configure>;
  readonly #people: PeopleStore;

  constructor(options: BetterAuthOptions) {
    this.#auth = configure(options);
    this.#people = options.people;
  }

  async identify(cookies: string | undefined): Promise<SignedIn | null> {
    if (!cookies?.includes(SESSION_COOKIE)) return null;
    const asked = { headers: carrying(cookies), returnHeaders: true } as const;
    const { response, headers } = await this.#answered(this.#auth.api.getSession(asked));
    if (!response) return null;
    if (Date.now() - response.session.createdAt.getTime() > LONGEST_SESSION_MS) {
      await this.end(cookies);
      return null;
    }
    return this.#signedIn(response.user.id, headers);
  }

  async begin(email: string, password: string): Promise<SignedIn | null> {
    // Empty headers: nothing needs the address or the browser of the client.
    const asked = { body: { email, password }, headers: new Headers(), returnHeaders: true } as const;
    const begun = await this.#answered(this.#auth.api.signInEmail(asked)).catch(asNull);
    return begun && this.#signedIn(begun.response.user.id, begun.headers);
  }

  async end(cookies: string | undefined): Promise<readonly string[]> {
    const asked = { headers: carrying(cookies), returnHeaders: true } as const;
    const { headers } = await this.#answered(this.#auth.api.signOut(asked));
    // The library only logs that a session could not be deleted, so check.
    const left = await this.#answered(this.#auth.api.getSession({ headers: carrying(cookies) }));
    if (left !== null) {
      throw new Error('a session that was ended is still there');
    }
    return cookiesOf(headers);
  }

  async changePassword(cookies: string | undefined, { current, next }: PasswordChange) {
    const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
    const asked = { body, headers: carrying(cookies), returnHeaders: true } as const;
    const changed = await this.#answered(this.#auth.api.changePassword(asked)).catch(asNull);
    return changed && cookiesOf(changed.headers);
  }

  /** The library hides why a statement failed: if the database is away, a query to our own store throws AppError `unavailable`. */
  async #answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
    try {
      return await asked;
    } catch (error) {
      if (!isRefusal(error)) await this.#people.find('');
      throw error;
    }
  }

  async #signedIn(id: string, headers: Headers): Promise<SignedIn | null> {
    const person = await this.#people.find(id);
    return person ? { person, setCookies: cookiesOf(headers) } : null;
  }
}

function configure({ dialect, secret, idleSeconds, log }: BetterAuthOptions) {
  const nextUlid = createUlids();
  const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return betterAuth({
    appName: 'Postern',
    // Only tells the library that cookies are for HTTPS; no request goes through its router.
    baseURL: 'https://localhost',
    // Not `secret`: with it, the library would look for other secrets in the environment.
    secrets: [{ version: 1, value: secret.toString('base64') }],
    // The type only says how values are written: instants as texts and booleans as numbers, in PostgreSQL as well.
    database: { db: new Kysely({ dialect }), type: 'sqlite' },
    user: { modelName: 'people', fields: { emailVerified: 'email_verified', ...times } },
    account: {
      modelName: 'credentials',
      fields: { userId: 'person_id', providerId: 'provider', accountId: 'subject', ...times },
    },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'person_id',
        expiresAt: 'expires_at',
        ...times,
        ipAddress: 'client_address',
        userAgent: 'user_agent',
      },
      expiresIn: idleSeconds,
      updateAge: Math.min(TOUCH_SECONDS, Math.floor(idleSeconds / 10)),
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: SHORTEST_PASSWORD,
      maxPasswordLength: LONGEST_PASSWORD,
    },
    advanced: {
      // If true, the library would put `__Secure-` before our `__Host-`.
      useSecureCookies: false,
      cookies: {
        session_token: {
          name: SESSION_COOKIE,
          attributes: { secure: true, httpOnly: true, sameSite: 'strict', path: '/' },
        },
      },
      ipAddress: { disableIpTracking: true },
      database: { generateId: () => `ses_${nextUlid(Date.now())}` },
    },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      // What it logs it throws as well, or `end` finds it out: at `error` an outage of the database would be told twice with each
      // request. The other arguments may hold text that a person typed.
      log: (_level, message) => log.debug({ from: 'better-auth' }, message),
    },
  });
}

/** The session cookie alone: better-auth also deletes cookies that it was not configured to set. */
function cookiesOf(headers: Headers): readonly string[] {
  return headers.getSetCookie().filter((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`));
}

function carrying(cookies: string | undefined): Headers {
  return new Headers(cookies === undefined ? {} : { cookie: cookies });
}

/** better-auth answers 400 and 401 for mistakes of the person; anything else is a fault. */
function isRefusal(error: unknown): boolean {
  return error instanceof APIError && (error.statusCode === 400 || error.statusCode === 401);
}

function asNull(error: unknown): null {
  if (isRefusal(error)) return null;
  throw error;
}
