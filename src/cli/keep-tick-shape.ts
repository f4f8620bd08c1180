import { executionAsyncResource } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps one of the objects that `process.nextTick` makes, all of one shape. A start calls it now and then, and where none of
 * them is left when the old generation is collected, V8 forgets the shape, takes the next one for another, and from then on
 * makes each of them by its slowest path, of which a request needs several. To be called before anything is collected.
 */
export function keepTickShape(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
