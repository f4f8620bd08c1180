import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { jsonReader } from '../../../src/http/middleware/read-json.ts';
import type { RequestContext } from '../../../src/http/request-state.ts';

const read = jsonReader(100);

/** A request with such a body. */
function contextOf(body: string): RequestContext {
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const req = Object.assign(Readable.from([Buffer.from(body)]), { headers });
  return { req, request: {} } as unknown as RequestContext;
}

describe('reading a body', () => {
  it('returns its object', async () => {
    expect(await read(contextOf('{"a":1}'))).toEqual({ a: 1 });
  });

  it('fails with bad_request, not invalid_json, when the client has disconnected before', async () => {
    const ctx = contextOf('{"a":1}');
    ctx.req.destroy();
    await expect(read(ctx)).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('fails with bad_request when the client disconnects meanwhile', async () => {
    const ctx = contextOf('{"a":1}');
    const reading = read(ctx);
    ctx.req.emit('aborted');
    await expect(reading).rejects.toMatchObject({ code: 'bad_request' });
  });
});
