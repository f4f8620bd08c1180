import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { createDnsResolver } from '../../src/net/create-dns-resolver.ts';
import { anAddress } from '../support/addresses.ts';
import { aCollector, aNetworkProvider } from '../support/providers.ts';

const DEADLINE_MS = 100;

/** A DNS server in a thread of its own, which answers while the event loop of the test is blocked. */
const SERVER = `
  const { parentPort } = require('node:worker_threads');
  const packet = require('dns-packet');
  const socket = require('node:dgram').createSocket('udp4');
  socket.on('message', (bytes, { port, address }) => {
    const { id, questions } = packet.decode(bytes);
    const data = { exchange: 'mx.example.com', preference: 1 };
    const answers = [{ type: 'MX', name: questions[0].name, ttl: 60, data }];
    socket.send(packet.encode({ type: 'response', id, questions, answers }), port, address, () => {
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
    });
  });
  const flag = new Int32Array(require('node:worker_threads').workerData);
  socket.bind(0, '127.0.0.1', () => parentPort.postMessage(socket.address().port));
`;

it('an answer that is in the socket buffer at the deadline is read before a timeout is reported', async () => {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(SERVER, { eval: true, workerData: answered.buffer });
  onTestFinished(() => void worker.terminate());
  const [port] = await once(worker, 'message');
  const dns = createDnsResolver({ servers: [`127.0.0.1:${port}`], timeoutMs: DEADLINE_MS, dohUrl: null });
  const provider = aNetworkProvider('net', {
    uses: ['dns'],
    check: async (_address, { signal, dns }) => ({
      facts: { 'net.seen': (await dns?.mx('example.com', signal))?.outcome === 'found' },
    }),
  });
  const { collect } = await aCollector([provider], { deadlineMs: DEADLINE_MS, ports: { dns } });
  const signals = collect(anAddress());
  // The question is sent in the loop's next iteration; then the loop is blocked until the answer has arrived and every deadline
  // has passed.
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(answered, 0, 0, 5_000);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * DEADLINE_MS);
  expect(await signals).toMatchObject({ facts: { 'net.seen': true }, degraded: [] });
});
