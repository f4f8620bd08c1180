import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { openSocket } from './connection.ts';
import { loadFailure } from './failure-file.ts';
import { DEADLINE_MS, startServiceUnderFuzz } from './service-under-fuzz.ts';

/** Sends a saved failure's bytes to a fresh service; returns all that came back, and what the log says of it. */
export async function replay(file: string, directory: string): Promise<{ received: string; log: string }> {
  const lines: string[] = [];
  const service = await startServiceUnderFuzz(directory, /$^/, (text) => void lines.push(text));
  lines.length = 0;
  const { listener, steps } = loadFailure(file, [service.liveKey, service.testKey]);
  const socket = await openSocket(service.listeners, listener);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) }).then(
    () => '\n(closed)',
    () => '\n(still open)',
  );
  for (const step of steps) {
    if ('send' in step) socket.write(step.send);
    else await pause(step.pauseMs);
  }
  const end = await closed;
  socket.destroy();
  await service.stop();
  return { received: received + end, log: lines.join('') };
}
