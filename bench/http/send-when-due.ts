/** Carries one request at a time. */
export interface Connection {
  /** Settles when the n-th request is answered. */
  ask(n: number): Promise<void>;
}

export interface Arrivals {
  /** When each request is due, in ms of the clock `now`, ascending. */
  readonly dueMs: Float64Array;
  readonly connections: readonly Connection[];
  readonly now: () => number;
  /** Calls `onDue` with n as soon as the n-th request is due. */
  readonly pace: (onDue: (n: number) => void) => void;
}

export interface Sent {
  /** From when a request was due to the end of its answer. */
  readonly latencyMs: Float64Array;
  /** From when a request was due to when it was sent; part of its latency. */
  readonly lateMs: Float64Array;
}

/**
 * Sends each request when it is due, whether or not others are answered. Where all connections are busy it waits for the first
 * that is free, and its latency counts from when it was due all the same: a server that stalls pays for all who came meanwhile.
 */
export function sendWhenDue({ dueMs, connections, now, pace }: Arrivals): Promise<Sent> {
  const latencyMs = new Float64Array(dueMs.length);
  const lateMs = new Float64Array(dueMs.length);
  // The longest idle is taken first, so that none is idle long enough for a server to close it.
  const free = [...connections];
  const waiting: number[] = [];
  let answered = 0;
  return new Promise((resolve, reject) => {
    const send = async (connection: Connection, n: number): Promise<void> => {
      const due = dueMs[n] ?? Number.NaN;
      lateMs[n] = now() - due;
      await connection.ask(n);
      latencyMs[n] = now() - due;
      const next = waiting.shift();
      if (next === undefined) free.push(connection);
      else send(connection, next).catch(reject);
      answered += 1;
      if (answered === dueMs.length) resolve({ latencyMs, lateMs });
    };
    pace((n) => {
      const connection = free.shift();
      if (connection === undefined) waiting.push(n);
      else send(connection, n).catch(reject);
    });
  });
}
