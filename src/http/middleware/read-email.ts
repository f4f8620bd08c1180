import type { Middleware } from 'koa';
import { AppError } from '../../errors.ts';
import type { RequestState } from '../state.ts';
import { jsonReader } from './read-json.ts';

/** Reads `{"email": string}`; other members are ignored. */
export function readEmail(limitBytes: number): Middleware<RequestState> {
  const read = jsonReader(limitBytes);
  return async (ctx, next) => {
    const body = await read(ctx);
    if (!('email' in body) || typeof body.email !== 'string') throw new AppError('missing_email');
    ctx.state.email = body.email;
    await next();
  };
}
