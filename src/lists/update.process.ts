import { serveParent } from '../jobs/serve-parent.ts';
import { systemClock } from '../lib/system-clock.ts';
import { messageOf } from '../lib/thrown.ts';
import { createDnsResolver } from '../net/create-dns-resolver.ts';
import { ListStore } from './list-store.ts';
import type { UpdateOrder, UpdateReply } from './update-in-process.ts';
import { createUpdateTools, updateList } from './update-list.ts';

serveParent();
process.once('message', async ({ url, config, allowed, accepted }: UpdateOrder) => {
  const tools = createUpdateTools({
    config: config.lists,
    store: new ListStore(config.dataDir),
    dns: createDnsResolver(config.dns),
    clock: systemClock,
    allowed,
  });
  const reply = await updateList(url, tools, accepted).then(
    (update): UpdateReply => ({ update }),
    (error: unknown): UpdateReply => ({ failure: messageOf(error) }),
  );
  process.send?.(reply, () => process.disconnect());
});
