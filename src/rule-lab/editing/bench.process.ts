import { openLocalCollector } from '../../app/compose/pipeline.ts';
import { serveParent } from '../../jobs/serve-parent.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { messageOf } from '../../lib/thrown.ts';
import { openRecordedChecks } from '../../storage/sqlite/open-recorded-checks.ts';
import type { BenchOpening, BenchReply, BenchRequest, OrderedWork } from './bench-messages.ts';
import { InProcessRuleJobs } from './in-process-rule-jobs.ts';

serveParent();

let opening: Promise<InProcessRuleJobs> | undefined;
let underWay = new AbortController();

process.on('message', async (message: BenchRequest) => {
  if ('config' in message) {
    opening = open(message);
    // Each order is told.
    opening.catch(() => undefined);
  } else if ('giveUp' in message) underWay.abort();
  else {
    underWay = new AbortController();
    process.send?.(await answer(message, underWay.signal));
  }
});

async function open({ config, providerOptions }: BenchOpening): Promise<InProcessRuleJobs> {
  return new InProcessRuleJobs({
    collector: await openLocalCollector(config),
    providerOptions,
    openRecords: () => openRecordedChecks(config.storage.url),
    promotion: config.rules.promotion,
    clock: systemClock,
  });
}

async function answer({ method, order }: OrderedWork, signal: AbortSignal): Promise<BenchReply> {
  try {
    if (!opening) throw new Error('the bench was not opened');
    const bench = await opening;
    // The other end is typed: the order is that of the method.
    const work = bench[method] as (order: unknown, asking: { signal: AbortSignal }) => Promise<unknown>;
    return { answer: await work.call(bench, order, { signal }) };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}
