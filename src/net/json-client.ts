import { type IncomingMessage, validateHeaderName, validateHeaderValue } from 'node:http';
import { Agent } from 'node:https';
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  halfJitterGenerator,
  handleWhenResult,
  type IPolicy,
  retry,
  wrap,
} from 'cockatiel';
import { codeOf } from '../lib/thrown.ts';
import { unlessAborted, withDeadline } from '../lib/time.ts';
import { traceHeaders } from '../observability/tracing.ts';
import type { DnsResolver, HttpAnswer, HttpOutcome, HttpRequest, JsonHttp } from '../provider-kit/index.ts';
import { exchange, readBody } from './http-exchange.ts';
import { type AddressCheck, AddressRefused } from './public-address.ts';

export interface JsonClientOptions {
  readonly dns: DnsResolver;
  /** The origins that may be asked, in the form of `URL.origin`. */
  readonly origins: ReadonlySet<string>;
  /** The origins that may be at private addresses. */
  readonly privateOrigins: ReadonlySet<string>;
  readonly concurrency: number;
  readonly maxBytes: number;
  /** For a request with all its attempts, its wait in the queue included. */
  readonly timeoutMs: number;
  onAnswer(outcome: HttpOutcome): void;
  /** Called when the circuit breaker of an origin opens, and when the origin is asked again. */
  onBreaker(origin: string, isOpen: boolean): void;
}

/** Consecutive failures of an origin that open its circuit breaker. */
const FAILURES = 5;
/** How long a breaker stays open at first; twice as long each time that the origin fails again, up to the longest. */
const LEFT_ALONE_MS = 5_000;
const LEFT_ALONE_LONGEST_MS = 60_000;
const WAITING_PER_SLOT = 8;
const ATTEMPTS_MORE = 2;
/** Back-off with jitter of up to half, so that requests that failed together are not retried together. */
const RETRY_MS = { initialDelay: 40, maxDelay: 300, generator: halfJitterGenerator };
const IDLE_MS = 30_000;

const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
const PASSING = new Set([502, 503, 504]);

/** Worth a retry: no answer came, or a proxy said that the server is away. */
const mayPass = handleWhenResult((result) => {
  const { outcome, ...answer } = result as HttpAnswer;
  return outcome === 'error' || (outcome === 'status' && 'status' in answer && PASSING.has(answer.status));
});

/** Counts for the breaker: the server, or the way to it, is at fault. Refusing one request (4xx) is no such sign. */
const isFailing = handleWhenResult((result) => {
  const { outcome, ...answer } = result as HttpAnswer;
  return outcome === 'error' || outcome === 'timeout' || ('status' in answer && answer.status >= 500);
});

interface Circuit {
  readonly breaker: CircuitBreakerPolicy;
  /** By the monotonic clock; the library uses the wall clock, which may be set back. */
  openedAt: number;
}

/** The port `http` of one provider; see the kit. */
export class JsonClient implements JsonHttp {
  readonly #agent: Agent;
  readonly #bound: IPolicy;
  readonly #again = retry(mayPass, {
    maxAttempts: ATTEMPTS_MORE,
    backoff: new ExponentialBackoff(RETRY_MS),
  });
  readonly #circuits = new Map<string, Circuit>();
  readonly #closing = new AbortController();

  constructor(private readonly options: JsonClientOptions) {
    const { concurrency } = options;
    this.#bound = bulkhead(concurrency, concurrency * WAITING_PER_SLOT);
    this.#agent = new Agent({ keepAlive: true, maxSockets: concurrency, timeout: IDLE_MS });
  }

  getJson(url: string, request: Pick<HttpRequest, 'headers' | 'signal'> = {}): Promise<HttpAnswer> {
    return this.request(url, { ...request, method: 'GET' });
  }

  async request(url: string, request: HttpRequest = {}): Promise<HttpAnswer> {
    const answer = await this.#request(url, request);
    this.options.onAnswer(answer.outcome);
    return answer;
  }

  /** Aborts the requests under way. */
  close(): void {
    this.#closing.abort();
    this.#agent.destroy();
  }

  async #request(text: string, request: HttpRequest): Promise<HttpAnswer> {
    const url = URL.parse(text);
    if (url?.username !== '' || url.password !== '') return { outcome: 'refused', code: 'url' };
    if (url.protocol !== 'https:' || !this.options.origins.has(url.origin))
      return { outcome: 'refused', code: 'origin' };
    const message = toMessage(request);
    if (!message) return { outcome: 'refused', code: 'request' };
    return withDeadline(this.options.timeoutMs, async (late) => {
      const signal = AbortSignal.any([
        late,
        this.#closing.signal,
        ...(request.signal ? [request.signal] : []),
      ]);
      let last: HttpAnswer = { outcome: 'timeout' };
      const ask = async (): Promise<HttpAnswer> => {
        last = await this.#inTurn(url, message, signal);
        return last;
      };
      const isIdempotent = IDEMPOTENT.has(request.method ?? 'GET');
      const asked = isIdempotent ? this.#again.execute(ask, signal) : ask();
      const answer = await unlessAborted(signal, asked, null);
      // The outcome of the last attempt says more than `timeout`.
      return answer ?? last;
    });
  }

  /** One attempt, when the queue lets it start and the breaker allows it. */
  async #inTurn(url: URL, message: Message, signal: AbortSignal): Promise<HttpAnswer> {
    const { dns, maxBytes, privateOrigins, timeoutMs } = this.options;
    const allowPrivateAddresses = privateOrigins.has(url.origin);
    const send = async () => {
      const begun = performance.now();
      const options = { dns, maxBytes, allowPrivateAddresses, agent: this.#agent };
      const answer = await sendJson(url, message, options, signal);
      // Thrown past the breaker: an attempt that was cut off early, after a wait in the queue, says nothing about the server.
      if (answer.outcome === 'timeout' && performance.now() - begun < timeoutMs / 2) signal.throwIfAborted();
      return answer;
    };
    try {
      return await wrap(this.#bound, this.#circuitOf(url.origin)).execute(send, signal);
    } catch (error) {
      if (error instanceof BulkheadRejectedError) return { outcome: 'error', code: 'busy' };
      if (error instanceof BrokenCircuitError) return { outcome: 'breaker_open' };
      // The library throws any other error when the signal fires while the attempt waits.
      return { outcome: signal.aborted ? 'timeout' : 'error' };
    }
  }

  #circuitOf(origin: string): CircuitBreakerPolicy {
    const kept = this.#circuits.get(origin);
    const isStuck =
      kept?.breaker.state === CircuitState.Open && performance.now() - kept.openedAt > LEFT_ALONE_LONGEST_MS;
    if (kept && !isStuck) return kept.breaker;
    if (isStuck) this.options.onBreaker(origin, false);
    const breaker = circuitBreaker(isFailing, {
      breaker: new ConsecutiveBreaker(FAILURES),
      halfOpenAfter: new ExponentialBackoff({
        initialDelay: LEFT_ALONE_MS,
        maxDelay: LEFT_ALONE_LONGEST_MS,
        generator: halfJitterGenerator,
      }),
    });
    const circuit: Circuit = { breaker, openedAt: 0 };
    breaker.onBreak(() => {
      circuit.openedAt = performance.now();
      this.options.onBreaker(origin, true);
    });
    breaker.onReset(() => this.options.onBreaker(origin, false));
    this.#circuits.set(origin, circuit);
    return breaker;
  }
}

/** Headers of a provider that are dropped: those of the connection (RFC 9110, section 7.6.1), and `host` and `content-length`. */
const RESERVED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length)$/i;

type Message = NonNullable<ReturnType<typeof toMessage>>;

/** The request as it is sent; undefined where HTTP or JSON cannot express it, which is no failure of the server. */
function toMessage({ method = 'GET', headers = {}, body }: HttpRequest) {
  try {
    // A method is a token, as the name of a header is (RFC 9110, section 9.1).
    validateHeaderName(method);
    const own = Object.entries(headers).filter(([name]) => !RESERVED.test(name));
    for (const [name, value] of own) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return { method, headers: Object.fromEntries(own), content };
  } catch {
    return undefined;
  }
}

/** Sends one request and reads its answer. Never rejects. The agent's kept connections were made to addresses that had been checked. */
async function sendJson(
  url: URL,
  { method, headers, content }: Message,
  { maxBytes, ...options }: AddressCheck & { readonly agent: Agent; readonly maxBytes: number },
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const all = {
    ...traceHeaders.getStore(),
    accept: 'application/json',
    ...(content && { 'content-type': 'application/json', 'content-length': content.length }),
    ...headers,
  };
  try {
    return await exchange(url, { ...options, method, content, headers: all }, signal, (response) =>
      readAnswer(response, method, maxBytes),
    );
  } catch (error) {
    if (signal.aborted) return { outcome: 'timeout' };
    if (error instanceof AddressRefused) return { outcome: 'refused', code: 'address' };
    const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined);
    return { outcome: 'error', ...(code !== undefined && { code }) };
  }
}

async function readAnswer(response: IncomingMessage, method: string, maxBytes: number): Promise<HttpAnswer> {
  const { statusCode: status = 0 } = response;
  if (status >= 300 && status < 400) return { outcome: 'refused', code: 'redirect' };
  const isGood = status >= 200 && status < 300;
  const bytes = await readBody(response, maxBytes);
  if (typeof bytes === 'string')
    return isGood ? { outcome: 'malformed', code: 'body' } : { outcome: 'status', status, body: null };
  const isEmpty = bytes.length === 0 && (method === 'HEAD' || status === 204 || !isGood);
  const read = isEmpty ? { json: null } : parse(bytes);
  if (isGood)
    return read ? { outcome: 'ok', status, body: read.json } : { outcome: 'malformed', code: 'json' };
  return { outcome: 'status', status, body: read?.json ?? null };
}

/** JSON is UTF-8 (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return undefined;
  }
}
