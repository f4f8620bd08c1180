/** A line of the log that may not be there. */
export interface LogFault {
  readonly reason: string;
  readonly line: string;
}

/**
 * Reads the service's log while it is written: every line must be a JSON object, and no line may hold what
 * `secret` finds. A warning of node's own, which is no JSON, is a fault too: it tells of leaked listeners.
 */
export class LogReader {
  readonly #secret: RegExp;
  #rest = '';
  lines = 0;
  readonly faults: LogFault[] = [];

  constructor(secret: RegExp) {
    this.#secret = secret;
  }

  read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#judge(line);
  }

  /**
   * Nothing more will come; what has no line end is judged as it stands. A space, by which the service tried before its end whether
   * the log takes anything, is no line: where all lines are out none follows it.
   */
  end(): void {
    if (this.#rest !== '' && this.#rest !== ' ') this.#judge(this.#rest);
    this.#rest = '';
  }

  #judge(line: string): void {
    this.lines += 1;
    if (this.#secret.test(line)) this.#fault('a key, a local part, a body or a path is in the log', line);
    else if (!isRecord(line)) this.#fault('not a JSON object with level, time and msg', line);
    else if (/"level":"(?:error|fatal)"/.test(line)) this.#fault('an error is logged', line);
  }

  #fault(reason: string, line: string): void {
    if (this.faults.length < 100) this.faults.push({ reason, line });
  }
}

function isRecord(line: string): boolean {
  try {
    const record: unknown = JSON.parse(line);
    return (
      typeof record === 'object' &&
      record !== null &&
      'level' in record &&
      'time' in record &&
      'msg' in record
    );
  } catch {
    return false;
  }
}
