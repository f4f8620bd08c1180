import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { readPage } from '../../docs/markdown.ts';
import { aClosedPort } from '../../support/closed-port.ts';
import { HAPROXY } from './programs.ts';
import { type ServerProcess, startProgram } from './server-process.ts';

export interface Balancer {
  readonly port: number;
  readonly log: () => string;
  stop(): Promise<void>;
}

/** HAProxy sets this header on each answer of an instance, and on none of its own. */
export const INSTANCE_HEADER = 'x-instance';

const SAMPLE = 'deploy/haproxy/several.cfg';

/** Starts HAProxy with the configuration of the sample, in front of several instances, over TLS. */
export async function startBalancer(
  root: string,
  instances: readonly { readonly name: string; readonly port: number }[],
  { cert, key, ca }: { readonly cert: string; readonly key: string; readonly ca: string },
): Promise<Balancer> {
  const directory = join(root, 'haproxy');
  mkdirSync(directory);
  const [both, authority] = [join(directory, 'both.pem'), join(directory, 'ca.pem')];
  writeFileSync(both, cert + key);
  writeFileSync(authority, ca);
  const port = await aClosedPort();
  const named = {
    '/etc/haproxy/postern.pem': both,
    '/etc/haproxy/postern-ca.pem': authority,
    'log /dev/log local0': 'log stdout format raw local0',
    'bind :443': `bind 127.0.0.1:${port}`,
    'balance roundrobin': `balance roundrobin\n  http-response set-header ${INSTANCE_HEADER} %s`,
    'server postern1 10.0.0.11:8443': instances.map(serverLine).join('\n  '),
    'server postern2 10.0.0.12:8443': '',
  };
  const config = Object.entries(named).reduce((text, [name, value]) => {
    if (!text.includes(name)) throw new Error(`${SAMPLE} does not say: ${name}`);
    return text.replace(name, () => value);
  }, readPage(SAMPLE));
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, config);
  const server: ServerProcess = await startProgram(HAPROXY, ['-db', '-f', file], {}, () => listens(port));
  return { port, log: server.said, stop: () => server.end('SIGTERM') };
}

function serverLine({ name, port }: { readonly name: string; readonly port: number }): string {
  return `server ${name} 127.0.0.1:${port}`;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    const answer = (result: boolean) => () => {
      socket.destroy();
      resolve(result);
    };
    socket.once('secureConnect', answer(true)).once('error', answer(false));
  });
}
