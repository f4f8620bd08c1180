import { isUtf8 } from 'node:buffer';
import bodyParser from 'koa-bodyparser';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../request-state.ts';

/** At most with a charset of utf-8, caseless (RFC 9110 8.3.1). No two runs of blanks touch: many of them would hold the process. */
const JSON_TYPE =
  /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*(?:utf-8|"utf-8")[ \t]*)?(?:;[ \t]*)?$/i;

export function isJsonType(contentType: string): boolean {
  return JSON_TYPE.test(contentType);
}

/**
 * Reads a JSON object. What koa-bodyparser lets through and the contract does not is refused here: other media types,
 * encodings, sizes known beforehand, invalid UTF-8 (it replaces it in silence), empty bodies (it makes them `{}`) and arrays.
 */
export function jsonReader(limitBytes: number): (ctx: RequestContext) => Promise<object> {
  const options: bodyParser.Options & { onProtoPoisoning: 'remove' } = {
    enableTypes: ['json'],
    jsonLimit: String(limitBytes),
    // The media type was settled above; this lets it see JSON however the charset was written.
    detectJSON: () => true,
    // "__proto__" is one of the other members, which are ignored. co-body knows this option, its types do not.
    onProtoPoisoning: 'remove',
    onerror: (error) => {
      throw translate(error);
    },
  };
  const parse = bodyParser(options);
  return async (ctx) => {
    refuseByHeaders(ctx, limitBytes);
    // The octets, beside the parser, which only hands out text.
    const chunks: Buffer[] = [];
    const keep = (chunk: Buffer) => void chunks.push(chunk);
    ctx.req.on('data', keep);
    try {
      await parse(ctx, async () => undefined);
    } finally {
      // What comes after a refusal is dropped, not kept.
      ctx.req.off('data', keep);
    }
    // Nothing but a byte order mark, which is dropped in decoding, is empty too.
    if (!ctx.request.rawBody || !isUtf8(Buffer.concat(chunks))) throw new AppError('invalid_json');
    const body: unknown = ctx.request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new AppError('invalid_json');
    return body;
  };
}

function refuseByHeaders(ctx: RequestContext, limitBytes: number): void {
  const { headers } = ctx.req;
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = headers;
  // Node takes `gzip, chunked` and undoes the latter alone.
  const transfer = headers['transfer-encoding']?.toLowerCase() ?? 'chunked';
  if (encoding !== undefined || transfer !== 'chunked' || type === undefined || !isJsonType(type)) {
    throw new AppError('unsupported_media_type');
  }
  if (Number(length ?? 0) > limitBytes) throw new AppError('body_too_large');
}

/** By the status and type that raw-body and co-body set, not by their messages. */
function translate(error: Error & { status?: number; type?: string }): AppError {
  if (error.status === 413) return new AppError('body_too_large');
  // Gone while its body was read, or before.
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
