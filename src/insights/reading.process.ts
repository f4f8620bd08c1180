// Reads what is on record while the service answers customers.

import { setPriority } from 'node:os';
import { serveParent } from '../jobs/serve-parent.ts';
import { messageOf } from '../lib/thrown.ts';
import { openReadOnly } from '../storage/sqlite/open-database.ts';
import type { ReadingOpening, ReadingOrder, ReadingReply } from './insights-queue.ts';
import { InsightsReader } from './insights-reader.ts';

/** Customers come first where there are too few cores for both. */
const LOW_PRIORITY = 10;

setPriority(LOW_PRIORITY);
serveParent();

let opening: ReadingOpening | undefined;
let reader: InsightsReader | undefined;

process.on('message', async (message: ReadingOpening | ReadingOrder) => {
  if ('file' in message) opening = message;
  else process.send?.(await answer(message));
});

async function answer({ number, kind, question }: ReadingOrder): Promise<ReadingReply> {
  try {
    reader ??= open();
    // The other end is typed: the question is of that kind.
    return { turn: await reader.take(number, kind, question as never) };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

/** With the first question, which is told when it fails. */
function open(): InsightsReader {
  if (!opening) throw new Error('the reading process was not opened');
  const { file, providerOf } = opening;
  return new InsightsReader(openReadOnly(file), { providerOf, now: Date.now });
}
