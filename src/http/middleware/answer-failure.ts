import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AppError, ERRORS } from '../../errors.ts';
import { messageOf } from '../../lib/thrown.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { errorEnvelope, type RequestContext } from '../request-state.ts';
import { refusalOn, whenReceived } from '../server/refuse.ts';
import { also } from './admission.ts';

/** Whatever was thrown, a refusal or a bug, leaves in the one envelope. */
export function answerFailure(ctx: RequestContext, thrown: unknown, log: Logger, metrics: Metrics): void {
  const sent = refusalOn(ctx.req.socket);
  if (sent !== undefined) {
    // For the request's line in the log: it was counted when it was sent.
    ctx.status = ERRORS[sent].status;
    ctx.state.errorCode = sent;
    return;
  }
  const error = thrown instanceof AppError ? thrown : new AppError('internal_error', { cause: thrown });
  if (error.code === 'internal_error') {
    log.error({ request_id: ctx.state.requestId, code: error.code, err: error.cause }, 'request failed');
  } else if (error.status >= 500 && error.cause !== undefined) {
    // In the request's own line: a full disk fails every check, and the store has said so with its trace.
    ctx.state.reason = messageOf(error.cause);
  }
  ctx.status = error.status;
  ctx.set(error.headers as Record<string, string>);
  if (error.retryAfterMs !== undefined) {
    // Whole seconds, rounded up, at least one: RFC 9110 10.2.3 knows no fractions.
    const seconds = Math.max(1, Math.ceil(error.retryAfterMs / 1000));
    ctx.set('Retry-After', String(seconds));
    // Here, not where a limit is reached: the sandbox refuses like this where none is.
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

/** Up to this node reads and drops the rest of a body: cheaper than a TLS handshake. Beyond, or of unknown length, the connection closes. */
const WORTH_DRAINING_BYTES = 65_536;

function leavesMuchUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return (
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > WORTH_DRAINING_BYTES
  );
}

/** The whole text at once; its end, with which node closes the connection, when the client has sent its body. */
function endingWhenReceived(req: IncomingMessage, text: string): Readable {
  const answer = new Readable({ read() {} });
  answer.push(text);
  whenReceived(req, () => void answer.push(null));
  return answer;
}
