import { openLocalCollector } from '../pipeline.ts';
import { serveParent } from '../serve-parent.ts';
import { openRecordedChecks } from '../storage/sqlite/open-recorded-checks.ts';
import { systemClock } from '../system-clock.ts';
import type { BenchMethod, BenchOpening, BenchReply, BenchRequest } from './bench-messages.ts';
import { InProcessBench } from './in-process-bench.ts';

serveParent();

let opening: Promise<InProcessBench> | undefined;
const underWay = new Map<number, AbortController>();

process.on('message', async (message: BenchRequest) => {
  if ('open' in message) {
    opening = open(message.open);
    // Each order is told.
    opening.catch(() => undefined);
  } else if ('giveUp' in message) underWay.get(message.giveUp)?.abort();
  else process.send?.(await answer(message.id, message.method, message.order));
});

async function open({ config, providerOptions }: BenchOpening): Promise<InProcessBench> {
  return new InProcessBench({
    collector: await openLocalCollector(config),
    providerOptions,
    openRecords: () => openRecordedChecks(config.storage.url),
    promotion: config.rules.promotion,
    clock: systemClock,
  });
}

async function answer(id: number, method: BenchMethod, order: unknown): Promise<BenchReply> {
  const controller = new AbortController();
  underWay.set(id, controller);
  try {
    if (!opening) throw new Error('the bench was not opened');
    const bench = await opening;
    // The other end is typed: the order is that of the method.
    const work = bench[method] as (order: unknown, signal: AbortSignal) => Promise<unknown>;
    return { id, answer: await work.call(bench, order, controller.signal) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  } finally {
    underWay.delete(id);
  }
}
