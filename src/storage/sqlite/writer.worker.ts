// The thread that waits for the disk, so that the event loop never does.
import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls, WritingConnection } from './writing-connection.ts';

if (!parentPort) throw new Error('writer.worker runs as a worker only');
serveCalls(parentPort, new WritingConnection(workerData));
