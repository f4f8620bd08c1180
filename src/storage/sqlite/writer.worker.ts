// The thread that waits for the disk, so that the event loop never does.
import { parentPort } from 'node:worker_threads';
import { serveCalls } from './writer-calls.ts';
import { WritingConnection } from './writing-connection.ts';

if (!parentPort) throw new Error('writer.worker runs as a worker only');
serveCalls(parentPort, (options) => new WritingConnection(options));
