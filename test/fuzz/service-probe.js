// Loaded into the service's process by --import, beside the product: tells its parent what it holds in memory.
import { getActiveResourcesInfo, memoryUsage } from 'node:process';

process.on('message', async () => {
  // Twice: what the first collection finalizes, the second one frees.
  await globalThis.gc({ execution: 'async' });
  await globalThis.gc({ execution: 'async' });
  const { heapUsed, rss, arrayBuffers } = memoryUsage();
  const resources = Object.groupBy(getActiveResourcesInfo(), (type) => type);
  const count = (type) => resources[type]?.length ?? 0;
  process.send({
    heapUsed,
    rss,
    arrayBuffers,
    sockets: count('TCPSocketWrap') + count('TLSWrap'),
    timers: count('Timeout'),
  });
});
// The parent may end first; the service must end by SIGTERM alone.
process.channel.unref();
