import { expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { Readiness } from '../../../src/http/ops/readiness.ts';

it('names each part that does not work, with the reason', async () => {
  const readiness = new Readiness([
    { name: 'storage', check: () => undefined },
    {
      name: 'disk',
      check: async () => {
        throw new Error('full');
      },
    },
  ]);
  expect(await readiness.report()).toEqual({
    ready: false,
    states: { storage: 'ok', disk: 'failing', accepting: 'ok' },
    reasons: { disk: 'full' },
  });
});

it('shows operators the reason where the public message hides it', async () => {
  const check = () => {
    const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    throw new AppError('unavailable', { cause });
  };
  const { reasons } = await new Readiness([{ name: 'storage', check }]).report();
  expect(reasons).toEqual({ storage: 'ECONNREFUSED' });
});

it('stays ready while a part is degraded that checks do not need', async () => {
  const check = () => {
    throw new Error('old');
  };
  expect(await new Readiness([{ name: 'lists', check, isExtra: true }]).report()).toEqual({
    ready: true,
    states: { lists: 'degraded', accepting: 'ok' },
    reasons: { lists: 'old' },
  });
});

it('is not ready from the moment it is told to stop', async () => {
  const readiness = new Readiness([]);
  expect(await readiness.report()).toEqual({ ready: true, states: { accepting: 'ok' }, reasons: {} });
  readiness.startDraining();
  expect(await readiness.report()).toEqual({
    ready: false,
    states: { accepting: 'failing' },
    reasons: { accepting: 'the service is stopping' },
  });
});
