import { SessionFailure } from './session-failure.ts';

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
