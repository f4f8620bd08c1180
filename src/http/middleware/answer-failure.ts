import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AppError, ERRORS } from '../../errors.ts';
import { messageOf } from '../../lib/thrown.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { errorEnvelope, type RequestContext } from '../request-state.ts';
import { refusalOn, whenReceived } from '../server/refuse.ts';
import { also } from './admission.ts';

/** Answers anything that was thrown, a refusal or a bug, in the error envelope. */
export function answerFailure(ctx: RequestContext, thrown: unknown, log: Logger, metrics: Metrics): void {
  const sent = refusalOn(ctx.req.socket);
  if (sent !== undefined) {
    // Only for the request's log line: the refusal was counted when it was sent.
    ctx.status = ERRORS[sent].status;
    ctx.state.errorCode = sent;
    return;
  }
  const error = thrown instanceof AppError ? thrown : new AppError('internal_error', { cause: thrown });
  if (error.code === 'internal_error') {
    log.error({ request_id: ctx.state.requestId, code: error.code, err: error.cause }, 'request failed');
  } else if (error.status >= 500 && error.cause !== undefined) {
    // Only in the request's log line: a full disk fails every check, and the store has logged the fault with its trace.
    ctx.state.reason = messageOf(error.cause);
  }
  ctx.status = error.status;
  ctx.set(error.headers as Record<string, string>);
  if (error.retryAfterMs !== undefined) {
    // Whole seconds, rounded up, at least one: RFC 9110 10.2.3 knows no fractions.
    const seconds = Math.max(1, Math.ceil(error.retryAfterMs / 1000));
    ctx.set('Retry-After', String(seconds));
    // Set here, not in `limitQuota` and `limitRate`: the sandbox throws the same refusals without a limit.
    if (error.code === 'quota_exhausted') also(ctx, 'RateLimit', `"account";r=0;t=${seconds}`);
    if (error.code === 'rate_limited' && ctx.state.key) ctx.set('RateLimit', `"key";r=0;t=${seconds}`);
  }
  ctx.state.errorCode = error.code;
  const environment = ctx.state.key?.environment ?? 'none';
  metrics.count('postern_refusals_total', { code: error.code, environment });
  ctx.set('Content-Type', 'application/json');
  const body = JSON.stringify(errorEnvelope(error.code, ctx.state.requestId, error.details));
  if (!leavesMuchUnread(ctx.req)) {
    ctx.body = body;
    return;
  }
  ctx.set('Connection', 'close');
  ctx.body = endingWhenReceived(ctx.req, body);
  ctx.length = Buffer.byteLength(body);
}

/** Up to this size node reads and drops the rest of a body: cheaper than a TLS handshake. A longer or unknown one closes the connection. */
const WORTH_DRAINING_BYTES = 65_536;

function leavesMuchUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return (
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > WORTH_DRAINING_BYTES
  );
}

/** Sends the whole text at once, but ends only when the client has sent its body, since node closes the connection with the end. */
function endingWhenReceived(req: IncomingMessage, text: string): Readable {
  const answer = new Readable({ read() {} });
  answer.push(text);
  whenReceived(req, () => void answer.push(null));
  return answer;
}
