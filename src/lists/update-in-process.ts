import type { Config } from '../app/config/config.ts';
import { startChildProgram } from '../jobs/child-program.ts';
import { moduleBeside } from '../lib/paths.ts';
import type { ListEntry } from '../provider-kit/index.ts';
import type { ListUpdate } from './update-list.ts';

export interface UpdateOrder {
  readonly url: string;
  readonly config: Pick<Config, 'dataDir' | 'dns' | 'lists'>;
  /** The entries of `allow.yaml` that are in force. */
  readonly allowed: readonly ListEntry[];
  /** A person has looked at what was refused and takes it. */
  readonly accepted?: boolean;
}

export type UpdateReply = { readonly update: ListUpdate } | { readonly failure: string };

const CHILD = moduleBeside('./update.process', import.meta.url);

/**
 * `updateList` in a process of its own: to read, judge and write a list of 100,000 domains takes a second, for
 * which requests would wait. Not in a worker: under load node 24.21 was seen to end as a whole when one ended ("Check
 * failed: jit_page.has_value()", nodejs/node#64500). Rejects when the update does, or is broken off.
 */
export function updateInProcess(order: UpdateOrder, signal: AbortSignal): Promise<ListUpdate> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = startChildProgram(CHILD);
    // An update that was begun is waited for.
    child.ref();
    const breakOff = () => void child.kill('SIGKILL');
    signal.addEventListener('abort', breakOff, { once: true });
    child.once('message', (reply: UpdateReply) => {
      if ('update' in reply) resolve(reply.update);
      else reject(new Error(reply.failure));
    });
    child.once('error', reject);
    child.once('exit', (code, killedBy) => {
      signal.removeEventListener('abort', breakOff);
      // After a reply this is heard by nobody.
      reject(new Error(`the update ended with ${code ?? killedBy} before it answered`));
    });
    if (child.pid !== undefined) child.send(order, (error) => error && reject(error));
  });
}
