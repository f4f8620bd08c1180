import { createHook } from 'node:async_hooks';
import { Session } from 'node:inspector/promises';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { keepTickShape } from '../../src/cli/keep-tick-shape.ts';

/** What `work` puts on node's queue, as long as it is not collected. */
async function ticksOf(work: () => void): Promise<readonly WeakRef<object>[]> {
  const ticks: WeakRef<object>[] = [];
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'TickObject') ticks.push(new WeakRef(resource));
    },
  }).enable();
  work();
  hook.disable();
  await setImmediate();
  return ticks;
}

it("keeps one of node's tick objects when all others are collected", async () => {
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  const shape = await ticksOf(keepTickShape);
  const others = await ticksOf(() => process.nextTick(() => undefined));
  await session.post('HeapProfiler.collectGarbage');
  expect(shape.map((tick) => tick.deref() !== undefined)).toEqual([true]);
  expect(others.map((tick) => tick.deref() !== undefined)).toEqual([false]);
});
