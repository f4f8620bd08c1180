import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterPendingIo } from '../../lib/time.ts';
import type { SmtpOutcome } from '../../provider-kit/index.ts';

/** How a session can end without an answer of the host. */
type Failure = Extract<
  SmtpOutcome,
  'timeout' | 'unreachable' | 'dropped' | 'malformed' | 'tls_failed' | 'aborted'
>;

/** Ends a session. `SmtpClient` turns it into an answer; no other caller sees it. */
export class SessionFailure extends Error {
  constructor(readonly outcome: Failure) {
    super(outcome);
  }
}

/** One reply of a server, on one or more lines: RFC 5321 section 4.2. */
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

// A code alone, a code with "-" where more lines follow, or a code with a space.
const LINE = /^([2-5][0-9]{2})(?:([ -])(.*))?$/;

/** Parses replies from chunks that may be cut anywhere. Throws a SessionFailure at a line that is no reply, or after `MAX_OCTETS`. */
export class ReplyReader {
  #octets = 0;
  #rest = '';
  #code: number | undefined;
  #lines: string[] = [];

  /** Whether a reply has arrived in part only. */
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
  /** Ends the session: as a timeout where its reason is a TimeoutError, else as aborted. */
  readonly signal: AbortSignal;
}

/** How long to wait for the reply to QUIT: a host that does not answer must not delay the next session. */
const GOODBYE_MS = 1_000;

/** One connection to a mail host, step by step. Each step rejects with a SessionFailure once the connection is unusable. */
export class SmtpConnection {
  readonly #stepMs: number;
  #socket: Socket;
  #reader = new ReplyReader();
  #replies: Reply[] = [];
  #failure: SessionFailure | undefined;
  /** Resolved at each change: a reply, an event, or the end. */
  #change = Promise.withResolvers<void>();

  private constructor({ address, port, stepMs, signal }: ConnectionOptions) {
    this.#stepMs = stepMs;
    this.#socket = connect({ host: address, port });
    signal.addEventListener('abort', () => this.#fail(outcomeOf(signal)), { once: true });
  }

  static async open(options: ConnectionOptions): Promise<SmtpConnection> {
    if (options.signal.aborted) throw new SessionFailure(outcomeOf(options.signal));
    const connection = new SmtpConnection(options);
    try {
      await connection.#begin('connect', 'unreachable');
    } catch (error) {
      await connection.close();
      throw error;
    }
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
    // A reply sent ahead in clear could be an attacker's, and must not be read as sent over TLS (RFC 3207 section 6).
    if (this.#replies.length > 0 || this.#reader.isWithinReply) throw this.#fail('malformed');
    for (const event of ['error', 'close', 'data']) this.#socket.removeAllListeners(event);
    // The TLS socket reports the errors of the socket that it wraps.
    this.#socket.on('error', () => undefined);
    this.#socket = connectTls({ socket: this.#socket, servername: host, rejectUnauthorized: false });
    await this.#begin('secureConnect', 'tls_failed');
  }

  /** Sends QUIT if it still can, waits `GOODBYE_MS` for the reply, and closes. Never rejects. */
  async quit(): Promise<void> {
    try {
      this.#socket.write('QUIT\r\n');
      await this.#until(() => this.#replies.shift(), GOODBYE_MS);
    } catch {
      // The answer is known by now; how the session ends changes nothing.
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

  /** Waits for the socket's `event`. If the socket ends before it, the session fails with `failure`; if after it, with `dropped`. */
  async #begin(event: 'connect' | 'secureConnect', failure: Failure): Promise<void> {
    let hasBegun = false;
    const end = () => this.#fail(hasBegun ? 'dropped' : failure);
    this.#socket
      .on('error', end)
      .on('close', end)
      .on('data', (chunk: Buffer) => this.#read(chunk))
      .once(event, () => {
        hasBegun = true;
        this.#tell();
      });
    await this.#until(() => hasBegun || undefined);
  }

  #read(chunk: Buffer): void {
    try {
      this.#replies.push(...this.#reader.read(chunk));
      this.#tell();
    } catch (error) {
      if (!(error instanceof SessionFailure)) throw error;
      this.#fail(error.outcome);
      this.#socket.destroy();
    }
  }

  /** The first failure stands. */
  #fail(outcome: Failure): SessionFailure {
    this.#failure ??= new SessionFailure(outcome);
    this.#tell();
    return this.#failure;
  }

  #tell(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Waits until `take` returns something, for one step at most. A reply that arrived before a failure still counts. */
  async #until<Thing>(take: () => Thing | undefined, mostMs = this.#stepMs): Promise<Thing> {
    let isOver = false;
    const giveUp = () => isOver || this.#fail('timeout');
    const timer = setTimeout(afterPendingIo(giveUp), Math.min(this.#stepMs, mostMs));
    try {
      for (;;) {
        const thing = take();
        if (thing !== undefined) return thing;
        if (this.#failure) throw this.#failure;
        await this.#change.promise;
      }
    } finally {
      isOver = true;
      clearTimeout(timer);
    }
  }
}

function outcomeOf({ reason }: AbortSignal): Failure {
  return reason instanceof Error && reason.name === 'TimeoutError' ? 'timeout' : 'aborted';
}
