import { Agent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../../../src/lib/thrown.ts';
import { type Answer, transmit } from '../../support/transmit.ts';
import { INSTANCE_HEADER } from './balancer.ts';

/** The outcome of one request. Instants are in milliseconds since the epoch. */
export interface Outcome {
  readonly email: string;
  /** When it was due, whether or not the generator could send it then. */
  readonly dueAt: number;
  readonly endedAt: number;
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  /** The check's id; undefined unless the status is 200. */
  readonly id: string | undefined;
  readonly code: string | undefined;
  readonly score: number | undefined;
  readonly ruleset: string | undefined;
  readonly degraded: string | undefined;
  readonly retryAfter: string | undefined;
  /** Why there was no answer. */
  readonly failure: string | undefined;
  /** The instance that answered; undefined where the balancer answered, or none did. */
  readonly instance: string | undefined;
}

export interface LoadOptions {
  readonly port: number;
  readonly ca: string;
  readonly key: string;
  readonly perSecond: number;
  readonly emailOf?: (n: number) => string;
}

export interface Load {
  /** In the order in which they ended. */
  readonly outcomes: readonly Outcome[];
  /** Sends no more requests, and waits for the open ones. */
  stop(): Promise<readonly Outcome[]>;
}

/** As in a client's pool: without a limit, a slow server would get ever more handshakes. */
const MOST_CONNECTIONS = 50;
/** A request that takes longer is lost. */
const GIVEN_UP_MS = 20_000;

/** Sends signups at random, independent instants, over kept connections. */
export function startLoad({ port, ca, key, perSecond, emailOf = someEmail }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, ca, maxSockets: MOST_CONNECTIONS });
  const outcomes: Outcome[] = [];
  const underWay = new Set<Promise<void>>();
  const over = new AbortController();

  const send = async (email: string, dueAt: number) => {
    let failure: string | undefined;
    const answer = await transmit({
      agent,
      port,
      method: 'POST',
      path: '/v1/',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
      signal: AbortSignal.timeout(GIVEN_UP_MS),
    }).catch((error: unknown) => {
      failure = messageOf(error);
      return undefined;
    });
    outcomes.push(outcomeOf(answer, { email, dueAt, endedAt: Date.now(), failure }));
  };
  const arrive = async () => {
    let dueAt = Date.now();
    for (let n = 0; !over.signal.aborted; n++) {
      // Times between arrivals of a Poisson process.
      dueAt += (-Math.log(1 - Math.random()) / perSecond) * 1000;
      const early = dueAt - Date.now();
      if (early > 0) await wait(early, undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted) return;
      const sent = send(emailOf(n), dueAt).finally(() => underWay.delete(sent));
      underWay.add(sent);
    }
  };
  const arrivals = arrive();

  return {
    outcomes,
    async stop() {
      over.abort();
      await arrivals;
      await Promise.all(underWay);
      agent.destroy();
      return outcomes;
    },
  };
}

function outcomeOf(
  answer: Answer | undefined,
  about: Pick<Outcome, 'email' | 'dueAt' | 'endedAt' | 'failure'>,
): Outcome {
  const header = (name: string) => answer?.headers[name]?.toString();
  return {
    ...about,
    status: answer?.status ?? 0,
    id: answer?.json?.id,
    code: answer?.json?.error?.code,
    score: answer?.json?.summary?.risk_score,
    ruleset: header('postern-ruleset'),
    degraded: header('postern-degraded'),
    retryAfter: header('retry-after'),
    instance: header(INSTANCE_HEADER),
  };
}

/** Addresses of unrelated people, so that velocity counts each alone. They repeat after 4,096. */
function someEmail(n: number): string {
  const [first, middle, last] = [n, Math.floor(n / 16), Math.floor(n / 256)];
  return `${FIRST[first % 16]}.${FIRST[middle % 16]}.${LAST[last % 16]}@example.com`;
}

const FIRST =
  'anna boris clara david elena frank greta henry irene jonas karla louis maria nadia oscar paula'.split(' ');
const LAST =
  'adler bauer conrad decker ebert fischer graf huber iversen jansen keller lehmann meyer neumann otto peters'.split(
    ' ',
  );
