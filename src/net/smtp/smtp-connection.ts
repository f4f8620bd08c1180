import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterPendingIo } from '../../lib/timers.ts';
import type { SmtpOutcome } from '../../provider-kit/index.ts';

/** How a session can end without the host's word. */
type Failure = Extract<
  SmtpOutcome,
  'timeout' | 'unreachable' | 'dropped' | 'malformed' | 'tls_failed' | 'aborted'
>;

/** Ends a session from within; `SmtpClient` makes an answer of it, and no other caller sees one. */
export class SessionFailure extends Error {
  readonly outcome: Failure;

  constructor(outcome: Failure) {
    super(outcome);
    this.outcome = outcome;
  }
}

/** What a server said at once: RFC 5321 section 4.2. */
export interface Reply {
  readonly code: number;
  /** The text of each line, without code and separator. */
  readonly lines: readonly string[];
}

/**
 * All that a host may say in one session, in octets. A line has 512 (RFC 5321 section 4.5.3.1.5), a long answer to EHLO
 * some twenty lines, a session seven replies.
 */
export const MAX_OCTETS = 32_768;

// Only a code, or a code with "-" where more lines follow, or with a space.
const LINE = /^([2-5][0-9]{2})(?:([ -])(.*))?$/;

/** Makes replies of octets, however they are cut. Throws a SessionFailure at what is no reply or too much. */
export class ReplyReader {
  #octets = 0;
  #rest = '';
  #code: number | undefined;
  #lines: string[] = [];

  /** Whether something has come of which no reply is made yet. */
  get isWithinReply(): boolean {
    return this.#rest !== '' || this.#lines.length > 0;
  }

  read(chunk: Buffer): readonly Reply[] {
    this.#octets += chunk.length;
    if (this.#octets > MAX_OCTETS) throw new SessionFailure('malformed');
    // Latin-1 takes any octet; the text is never shown.
    const lines = (this.#rest + chunk.toString('latin1')).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#readLine(line.replace(/\r$/, '')));
  }

  #readLine(line: string): readonly Reply[] {
    const [, digits, separator, text = ''] = LINE.exec(line) ?? [];
    if (digits === undefined) throw new SessionFailure('malformed');
    const code = Number(digits);
    if (this.#code !== undefined && this.#code !== code) throw new SessionFailure('malformed');
    this.#code = code;
    this.#lines.push(text);
    if (separator === '-') return [];
    const reply = { code, lines: this.#lines };
    this.#code = undefined;
    this.#lines = [];
    return [reply];
  }
}

interface ConnectionOptions {
  /** An IP address that has been checked: no name is looked up again, so that it cannot lead elsewhere. */
  readonly address: string;
  readonly port: number;
  /** For each step: connecting, the handshake, each reply as a whole. */
  readonly stepMs: number;
  /** Ends the session; its reason is a SessionFailure. */
  readonly signal: AbortSignal;
}

/** A host that does not answer QUIT shall not take the time of the next session. */
const GOODBYE_MS = 1_000;

/** One connection to a mail host, step by step. Every method rejects with a SessionFailure once it is of no use any more. */
export class SmtpConnection {
  readonly #options: ConnectionOptions;
  #socket: Socket;
  #reader = new ReplyReader();
  #replies: Reply[] = [];
  #failure: SessionFailure | undefined;
  /** Called at each change: a reply, or the end. */
  #wake: () => void = () => undefined;

  private constructor(options: ConnectionOptions) {
    this.#options = options;
    const { address, port } = options;
    this.#socket = connect({ host: address, port });
  }

  static async open(options: ConnectionOptions): Promise<SmtpConnection> {
    options.signal.throwIfAborted();
    const connection = new SmtpConnection(options);
    let isOpen = false;
    connection.#socket.once('connect', () => {
      isOpen = true;
      connection.#wake();
    });
    connection.#listen('unreachable');
    try {
      await connection.#until(() => (isOpen ? true : undefined));
    } catch (error) {
      await connection.close();
      throw error;
    }
    connection.#listen('dropped');
    return connection;
  }

  /** The next reply that the host sends, or has sent. */
  reply(): Promise<Reply> {
    return this.#until(() => this.#replies.shift());
  }

  command(line: string): Promise<Reply> {
    this.#socket.write(`${line}\r\n`);
    return this.reply();
  }

  /** Goes on in TLS. The certificate is not judged: mail hosts have any, and nothing is said that needs a secret (RFC 7435). */
  async secure(host: string): Promise<void> {
    // What was sent ahead in clear could be an attacker's, and must not be read as said in TLS (RFC 3207 section 6).
    if (this.#replies.length > 0 || this.#reader.isWithinReply) throw this.#fail('malformed');
    this.#unlisten();
    // Its errors come through the one that wraps it.
    this.#socket.on('error', () => undefined);
    let isSecure = false;
    const secure = connectTls({ socket: this.#socket, servername: host, rejectUnauthorized: false });
    this.#socket = secure;
    secure.once('secureConnect', () => {
      isSecure = true;
      this.#wake();
    });
    this.#listen('tls_failed');
    await this.#until(() => (isSecure ? true : undefined));
    this.#listen('dropped');
  }

  /** Says goodbye where it still can, waits a moment for the answer, and closes. Never rejects. */
  async quit(): Promise<void> {
    try {
      this.#socket.write('QUIT\r\n');
      await this.#until(() => this.#replies.shift(), GOODBYE_MS);
    } catch {
      // The host's word has been heard; how it hangs up changes nothing.
    }
    await this.close();
  }

  async close(): Promise<void> {
    this.#fail('dropped');
    if (this.#socket.closed) return;
    const closed = new Promise((resolve) => this.#socket.once('close', resolve));
    this.#socket.destroy();
    await closed;
  }

  /** Hears the socket; its end is `failure` from now on. */
  #listen(failure: Failure): void {
    this.#unlisten();
    // A host may end before it is asked to: what it said before still counts.
    this.#socket.on('error', () => this.#fail(failure));
    this.#socket.on('close', () => this.#fail(failure));
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  #unlisten(): void {
    for (const event of ['error', 'close', 'data']) this.#socket.removeAllListeners(event);
  }

  #read(chunk: Buffer): void {
    try {
      this.#replies.push(...this.#reader.read(chunk));
      this.#wake();
    } catch (error) {
      if (!(error instanceof SessionFailure)) throw error;
      this.#fail(error.outcome);
      this.#socket.destroy();
    }
  }

  /** The first failure stands. */
  #fail(outcome: Failure): SessionFailure {
    this.#failure ??= new SessionFailure(outcome);
    this.#wake();
    return this.#failure;
  }

  /** Waits until `take` has something, for a step at most. */
  async #until<Thing>(take: () => Thing | undefined, mostMs = Infinity): Promise<Thing> {
    const { stepMs, signal } = this.#options;
    const done = Promise.withResolvers<Thing>();
    const look = () => {
      const thing = take();
      if (thing !== undefined) done.resolve(thing);
      else if (this.#failure) done.reject(this.#failure);
    };
    const giveUp = () => done.reject(this.#fail(reasonOf(signal)));
    const timer = setTimeout(
      afterPendingIo(() => done.reject(this.#fail('timeout'))),
      Math.min(stepMs, mostMs),
    );
    signal.addEventListener('abort', giveUp, { once: true });
    this.#wake = look;
    try {
      if (signal.aborted) giveUp();
      else look();
      return await done.promise;
    } finally {
      this.#wake = () => undefined;
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }
}

function reasonOf({ reason }: AbortSignal): Failure {
  return reason instanceof SessionFailure ? reason.outcome : 'aborted';
}
