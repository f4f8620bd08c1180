import { randomInt } from 'node:crypto';
import { FairQueue } from '../../lib/concurrency.ts';
import { withDeadline } from '../../lib/time.ts';
import type {
  DnsResolver,
  SmtpAnswer,
  SmtpOutcome,
  SmtpProber,
  SmtpQuestion,
} from '../../provider-kit/index.ts';
import { chooseAddress } from '../public-address.ts';
import { type Reply, SessionFailure, SmtpConnection } from './smtp-connection.ts';

/** Runs up to `atOnce` tasks at a time, and never two that share a key: a task waits for all earlier tasks with one of its keys. */
export class SessionQueue {
  readonly #slots: FairQueue;
  /** The newest task of each key. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(atOnce: number) {
    this.#slots = new FairQueue(atOnce);
  }

  async run<Result>(keys: readonly string[], task: () => Promise<Result>): Promise<Result> {
    const before = Promise.allSettled(keys.map((key) => this.#last.get(key)));
    const done = before.then(() => this.#slots.run('', task));
    for (const key of keys) this.#last.set(key, done);
    try {
      return await done;
    } finally {
      for (const key of keys) if (this.#last.get(key) === done) this.#last.delete(key);
    }
  }
}

/** Recipients asked about, each in its own session; more would look like the harvesting of addresses. */
const RECIPIENTS = 2;
/** Sessions of this process at once, with different hosts. */
const SESSIONS_AT_ONCE = 8;
/** Timeout of each step of a session. RFC 5321 section 4.5.3.2 would wait for minutes, but giving up loses nothing here. */
export const STEP_MS = 5_000;
/** Timeout of a question, from the moment the queue starts it. */
export const QUESTION_MS = 8_000;

export interface SmtpClientOptions {
  readonly dns: DnsResolver;
  readonly onAnswer?: (outcome: SmtpOutcome) => void;
  /** The rest has defaults and is set by tests. */
  readonly stepMs?: number;
  readonly questionMs?: number;
  readonly sessionsAtOnce?: number;
  readonly makeLocalPart?: () => string;
}

/** Asks mail hosts over SMTP; see the port. */
export class SmtpClient implements SmtpProber {
  readonly #queue: SessionQueue;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(private readonly options: SmtpClientOptions) {
    this.#queue = new SessionQueue(options.sessionsAtOnce ?? SESSIONS_AT_ONCE);
  }

  async probe(question: SmtpQuestion): Promise<SmtpAnswer> {
    const asked = this.#ask(question);
    this.#underWay.add(asked);
    try {
      const answer = await asked;
      this.options.onAnswer?.(answer.outcome);
      return answer;
    } finally {
      this.#underWay.delete(asked);
    }
  }

  /** Aborts every session; questions that wait in the queue answer `aborted`. Resolves when no connection is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#underWay);
  }

  async #ask(question: SmtpQuestion): Promise<SmtpAnswer> {
    const { exchange, allowPrivateAddresses } = question;
    const found = await this.options.dns.addresses(exchange, this.#closing.signal);
    if (found.outcome !== 'found') return { outcome: 'no_address' };
    const address = chooseAddress(found.records, allowPrivateAddresses);
    if (address === undefined) return { outcome: 'private_address' };
    // Two names can be one machine, and one name two machines: neither may see two sessions at once.
    const keys = [`name ${exchange}`, `address ${address}`];
    return this.#queue.run(keys, () => this.#askInSessions(question, address));
  }

  async #askInSessions(question: SmtpQuestion, address: string): Promise<SmtpAnswer> {
    if (this.#closing.signal.aborted) return { outcome: 'aborted' };
    return withDeadline(this.options.questionMs ?? QUESTION_MS, async (late) => {
      const signal = AbortSignal.any([this.#closing.signal, late]);
      for (let session = 1; ; session++) {
        const answer = await this.#askInSession(question, address, signal);
        if (answer.outcome !== 'all_accepted' || session === RECIPIENTS) return answer;
      }
    });
  }

  async #askInSession(question: SmtpQuestion, address: string, signal: AbortSignal): Promise<SmtpAnswer> {
    const { port, heloName, exchange, domain } = question;
    const { stepMs = STEP_MS, makeLocalPart = randomLocalPart } = this.options;
    let connection: SmtpConnection;
    try {
      connection = await SmtpConnection.open({ address, port, stepMs, signal });
    } catch (error) {
      if (error instanceof SessionFailure) return { outcome: error.outcome, step: 'connect' };
      throw error;
    }
    try {
      const recipient = `${makeLocalPart()}@${domain}`;
      return await askRecipient(connection, { heloName, exchange, recipient });
    } finally {
      await connection.quit();
    }
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LETTERS_AND_DIGITS = `${LETTERS}0123456789`;

/** Twenty characters, over 100 bits: no mailbox has it, and no host can have guessed it. */
function randomLocalPart(): string {
  const rest = Array.from({ length: 19 }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]);
  return `${LETTERS[randomInt(LETTERS.length)]}${rest.join('')}`;
}

export type Partner = Pick<SmtpConnection, 'reply' | 'command' | 'secure'>;

type RecipientQuestion = Pick<SmtpQuestion, 'heloName' | 'exchange'> & { readonly recipient: string };

/**
 * Asks whether the host takes mail for one recipient, up to the reply to RCPT: no mail is sent, and the caller
 * ends the connection. The sender is the null one, which every host must take (RFC 5321 section 4.5.5) and no reply goes to.
 */
export async function askRecipient(
  partner: Partner,
  { heloName, exchange, recipient }: RecipientQuestion,
): Promise<SmtpAnswer> {
  let step = 'greeting';
  const say = (next: string, line: string) => {
    step = next;
    return partner.command(line);
  };
  try {
    const greeting = await partner.reply();
    if (greeting.code !== 220) return settledBy(greeting, step);

    let hello = await say('ehlo', `EHLO ${argument(heloName)}`);
    // RFC 5321 section 3.2: a host that does not know EHLO is greeted in the old way.
    if (hello.code === 500 || hello.code === 502) hello = await say('helo', `HELO ${argument(heloName)}`);
    if (hello.code !== 250) return settledBy(hello, step);

    if (hello.lines.some((line) => line.trim().toUpperCase() === 'STARTTLS')) {
      const start = await say('starttls', 'STARTTLS');
      if (start.code !== 220) return settledBy(start, step);
      step = 'tls';
      await partner.secure(exchange);
      const again = await say('ehlo', `EHLO ${argument(heloName)}`);
      if (again.code !== 250) return settledBy(again, step);
    }
    const mail = await say('mail', 'MAIL FROM:<>');
    if (mail.code !== 250) return settledBy(mail, step);
    const rcpt = await say('rcpt', `RCPT TO:<${argument(recipient)}>`);
    // RFC 5321 section 4.3.2: 251 takes the mail too, and forwards it.
    if (rcpt.code === 250 || rcpt.code === 251) return { outcome: 'all_accepted', step, code: rcpt.code };
    return settledBy(rcpt, step);
  } catch (error) {
    if (error instanceof SessionFailure) return { outcome: error.outcome, step };
    throw error;
  }
}

/** Removes all characters that end a line or an argument, so that the text stays one argument of its command. */
export function argument(text: string): string {
  return text.replace(/[^\x21-\x7e]|[<>]/g, '');
}

/** Codes of a recipient that is not there: RFC 5321 section 4.2.3. */
const NO_RECIPIENT = new Set([550, 551, 553]);
/** RFC 3463 section 3.2: statuses about an address, without those about the sender's address (X.1.7, X.1.8). */
const ADDRESS_STATUS = /^5\.1\.(?!0*[78]$)/;

function settledBy({ code, lines }: Reply, step: string): SmtpAnswer {
  const enhancedCode = enhancedCodeOf(code, lines[0] ?? '');
  const told = { step, code, ...(enhancedCode !== undefined && { enhancedCode }) };
  if (code >= 400 && code < 500) return { outcome: 'deferred', ...told };
  if (code < 500) return { outcome: 'malformed', ...told };
  const isAboutMailbox = step === 'rcpt' && NO_RECIPIENT.has(code) && ADDRESS_STATUS.test(enhancedCode ?? '');
  return { outcome: isAboutMailbox ? 'no_such_mailbox' : 'rejected', ...told };
}

/** RFC 2034 section 4: it stands at the beginning of the text, and begins with the first digit of the code. */
function enhancedCodeOf(code: number, text: string): string | undefined {
  const [, found] = /^([245]\.[0-9]{1,3}\.[0-9]{1,3})(?:\s|$)/.exec(text) ?? [];
  return found?.[0] === String(code)[0] ? found : undefined;
}
