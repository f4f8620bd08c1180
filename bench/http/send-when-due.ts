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
 * Sends each request when it is due, whether or not others are answered. Where all connections are busy, the request waits for the
 * first free one. Its latency still counts from when it was due, so a stalled server pays for all requests that arrive meanwhile.
 */
export function sendWhenDue({ dueMs, connections, now, pace }: Arrivals): Promise<Sent> {
  const latencyMs = new Float64Array(dueMs.length);
  const lateMs = new Float64Array(dueMs.length);
  // The connection that is idle longest is used first, so that no connection is idle until the server closes it.
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
