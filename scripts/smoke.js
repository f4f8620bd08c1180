// Starts the built service on empty data through `npm start`, makes a request with the key that it put into data/first-run.txt, and stops it.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directory = mkdtempSync(join(tmpdir(), 'postern-smoke-'));
const service = spawn('npm', ['start', '--', '--port', '0', '--data-dir', join(directory, 'data')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = new Promise((resolve) => service.once('exit', resolve));
const giveUp = setTimeout(() => fail('not ready within a minute'), 60_000);
let output = '';

function fail(reason) {
  console.error(`smoke: ${reason}\n${output}`);
  service.kill('SIGKILL');
  process.exit(1);
}

async function answerTo(port, key) {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: 'localhost',
        port,
        path: '/v1/',
        method: 'POST',
        ca: readFileSync(join(directory, 'data/tls/ca.pem')),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      },
      (response) => response.setEncoding('utf8').on('data', (text) => resolve([response.statusCode, text])),
    );
    sent.on('error', reject).end('{"email":"jane.doe@example.com"}');
  });
}

service.once(
  'exit',
  (code) => output.includes('ready https://') || fail(`ended with ${code} before it was ready`),
);
service.stdout.on('data', async (chunk) => {
  output += chunk;
  const port = /^ready https:\/\/\S+:(\d+)$/m.exec(output)?.[1];
  if (!port) return;
  const key = /pst_live_[0-9a-z]+/.exec(readFileSync(join(directory, 'data/first-run.txt'), 'utf8'))?.[0];
  service.stdout.removeAllListeners('data');
  clearTimeout(giveUp);
  const [status, body] = await answerTo(port, key).catch((error) => fail(error.message));
  if (status !== 200) fail(`answered ${status}: ${body}`);
  service.kill('SIGTERM');
  const code = await exited;
  if (code !== 0) fail(`SIGTERM ended it with ${code}`);
  rmSync(directory, { recursive: true });
  console.log(`smoke: first start, one check, one SIGTERM: ${body}`);
});
