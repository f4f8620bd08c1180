/** One final answer as it came over the wire. */
export interface Answer {
  readonly version: string;
  readonly status: number;
  /** Names in lower case, in order, doubles kept. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

const STATUS_LINE = /^HTTP\/(\d\.\d) (\d{3}) [\x20-\x7e]*$/;
/** RFC 9110, 5.1 and 5.5: a token, and visible ASCII with single spaces or tabs inside. */
const FIELD = /^([\w!#$%&'*+.^`|~-]+): ([\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)$/;
const HEAD_END = '\r\n\r\n';

/**
 * Cuts what a connection receives into answers, as strictly as an unforgiving client would. Throws at the first
 * octet that no answer of Postern may have.
 */
export class AnswerReader {
  #pending: Buffer = Buffer.alloc(0);

  /** Whether an answer has begun and is not whole. */
  get isMidway(): boolean {
    return this.#pending.length > 0;
  }

  /** The answers that this chunk completes; `isHead` tells whether the nth of them has no body. */
  read(chunk: Buffer, isHead: (nth: number) => boolean): Answer[] {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const answers: Answer[] = [];
    for (;;) {
      const answer = this.#next(isHead(answers.length));
      if (answer === undefined) return answers;
      if (answer.status >= 200) answers.push(answer);
    }
  }

  #next(isHead: boolean): Answer | undefined {
    const end = this.#pending.indexOf(HEAD_END);
    if (end === -1) return undefined;
    const [statusLine = '', ...lines] = this.#pending.toString('latin1', 0, end).split('\r\n');
    const [, version, status] = STATUS_LINE.exec(statusLine) ?? [];
    if (version === undefined) throw new Error(`no status line: ${JSON.stringify(statusLine)}`);
    const headers = lines.map(readField);
    const from = end + HEAD_END.length;
    const to = from + (isHead || Number(status) < 200 ? 0 : lengthOf(headers));
    if (this.#pending.length < to) return undefined;
    const body = this.#pending.subarray(from, to);
    this.#pending = this.#pending.subarray(to);
    return { version, status: Number(status), headers, body };
  }
}

function readField(line: string): [name: string, value: string] {
  const [, name, value] = FIELD.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`no header field: ${JSON.stringify(line)}`);
  return [name.toLowerCase(), value];
}

/** Postern names the length of every body: without it, or with two framings, a client has to guess. */
function lengthOf(headers: Answer['headers']): number {
  const framing = headers.filter(([name]) => name === 'content-length' || name === 'transfer-encoding');
  const [[name, value] = ['', '']] = framing;
  if (framing.length !== 1 || name !== 'content-length' || !/^\d+$/.test(value)) {
    throw new Error(`the answer's length is not told once: ${JSON.stringify(framing)}`);
  }
  return Number(value);
}
