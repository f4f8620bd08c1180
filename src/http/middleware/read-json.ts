import { isUtf8 } from 'node:buffer';
import bodyParser from 'koa-bodyparser';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../request-state.ts';

/** Charset utf-8 or none, caseless (RFC 9110 8.3.1). No two runs of blanks touch: with many blanks, backtracking would block the process. */
const JSON_TYPE =
  /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*(?:utf-8|"utf-8")[ \t]*)?(?:;[ \t]*)?$/i;

export function isJsonType(contentType: string): boolean {
  return JSON_TYPE.test(contentType);
}

/**
 * Reads a JSON object. Refuses here what the contract forbids but koa-bodyparser lets through: other media types,
 * encodings, sizes known beforehand, invalid UTF-8 (it replaces it in silence), empty bodies (it makes them `{}`) and arrays.
 */
export function jsonReader(limitBytes: number): (ctx: RequestContext) => Promise<object> {
  const options: bodyParser.Options & { onProtoPoisoning: 'remove' } = {
    enableTypes: ['json'],
    jsonLimit: String(limitBytes),
    // `refuseByHeaders` has checked the media type; the parser takes the body for JSON however the charset was written.
    detectJSON: () => true,
    // "__proto__" is ignored like every other unknown member. co-body has this option, its types do not.
    onProtoPoisoning: 'remove',
    onerror: (error) => {
      throw translate(error);
    },
  };
  const parse = bodyParser(options);
  return async (ctx) => {
    refuseByHeaders(ctx, limitBytes);
    // Keeps the raw octets: the parser only hands out text.
    const chunks: Buffer[] = [];
    const keep = (chunk: Buffer) => void chunks.push(chunk);
    ctx.req.on('data', keep);
    try {
      await parse(ctx, async () => undefined);
    } finally {
      // Octets that arrive after a refusal are dropped, not kept.
      ctx.req.off('data', keep);
    }
    // A body of only a byte order mark is empty too: decoding drops the mark.
    if (!ctx.request.rawBody || !isUtf8(Buffer.concat(chunks))) throw new AppError('invalid_json');
    const body: unknown = ctx.request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new AppError('invalid_json');
    return body;
  };
}

function refuseByHeaders(ctx: RequestContext, limitBytes: number): void {
  const { headers } = ctx.req;
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = headers;
  // Node accepts `gzip, chunked` and decodes only the chunks.
  const transfer = headers['transfer-encoding']?.toLowerCase() ?? 'chunked';
  if (encoding !== undefined || transfer !== 'chunked' || type === undefined || !isJsonType(type)) {
    throw new AppError('unsupported_media_type');
  }
  if (Number(length ?? 0) > limitBytes) throw new AppError('body_too_large');
}

/** By the status and type that raw-body and co-body set, not by their messages. */
function translate(error: Error & { status?: number; type?: string }): AppError {
  if (error.status === 413) return new AppError('body_too_large');
  // The client left while the body was read, or before.
  if (error.type === 'request.aborted' || error.type === 'stream.not.readable')
    return new AppError('bad_request');
  // The SyntaxError carries the raw body: it goes no further, not even as a cause.
  return new AppError('invalid_json');
}

/** Reads `{"email": string}`; other members are ignored. */
export function readEmail(limitBytes: number): (ctx: RequestContext) => Promise<string> {
  const read = jsonReader(limitBytes);
  return async (ctx) => {
    const body = await read(ctx);
    if (!('email' in body) || typeof body.email !== 'string') throw new AppError('missing_email');
    return body.email;
  };
}
