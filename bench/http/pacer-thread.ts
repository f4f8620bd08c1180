// A thread that posts a message when each request is due. Timers of the event loop fire at whole milliseconds, which would
// send all arrivals of a millisecond together; a thread that sleeps until an instant wakes some 0.1 ms after it and uses no CPU.
import { parentPort, workerData } from 'node:worker_threads';
import { monotonicMs } from './monotonic-ms.ts';

const dueMs: Float64Array = workerData;
const neverNotified = new Int32Array(new SharedArrayBuffer(4));

for (const [n, due] of dueMs.entries()) {
  for (let left = due - monotonicMs(); left > 0; left = due - monotonicMs()) {
    Atomics.wait(neverNotified, 0, 0, left);
  }
  parentPort?.postMessage(n);
}
