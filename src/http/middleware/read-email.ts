import { AppError } from '../../errors.ts';
import type { RequestContext } from '../state.ts';
import { jsonReader } from './read-json.ts';

/** Reads `{"email": string}`; other members are ignored. */
export function readEmail(limitBytes: number): (ctx: RequestContext) => Promise<string> {
  const read = jsonReader(limitBytes);
  return async (ctx) => {
    const body = await read(ctx);
    if (!('email' in body) || typeof body.email !== 'string') throw new AppError('missing_email');
    return body.email;
  };
}
