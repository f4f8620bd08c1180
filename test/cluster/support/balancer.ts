import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { readPage } from '../../docs/markdown.ts';
import { aClosedPort } from '../../support/mail-hosts.ts';
import { HAPROXY } from './programs.ts';
import { type ServerProcess, startProgram } from './server-process.ts';

export interface Balancer {
  readonly port: number;
  readonly log: () => string;
  stop(): Promise<void>;
}

/** Set on each answer that an instance gave, and on none that HAProxy made itself. */
export const INSTANCE_HEADER = 'x-instance';

/** HAProxy as `deploy/haproxy` has it, before several instances to which it speaks TLS. */
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
  const tls = `ssl verify required verifyhost localhost ca-file ${authority}`;
  const servers = instances.map(
    ({ name, port }) =>
      `server ${name} 127.0.0.1:${port} ${tls} check inter 1s fastinter 500ms downinter 500ms fall 2 rise 1`,
  );
  const named = {
    '/etc/haproxy/postern.pem': both,
    'log /dev/log local0': 'log stdout format raw local0',
    'bind :443': `bind 127.0.0.1:${port}`,
    // A request that found no connection goes to another instance at once. One that was sent is never sent again: it may be on record.
    'retries 1': 'retries 2\n  option redispatch 1\n  retry-on conn-failure',
    'http-check expect status 200': `http-check expect status 200
  balance roundrobin
  http-response set-header ${INSTANCE_HEADER} %s`,
    'server postern 127.0.0.1:8080 check inter 5s fall 2 rise 1': servers.join('\n  '),
  };
  const config = Object.entries(named).reduce((text, [name, value]) => {
    if (!text.includes(name)) throw new Error(`deploy/haproxy/haproxy.cfg does not say: ${name}`);
    return text.replace(name, () => value);
  }, readPage('deploy/haproxy/haproxy.cfg'));
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, config);
  const server: ServerProcess = await startProgram(HAPROXY, ['-db', '-f', file], {}, () => listens(port));
  return { port, log: server.said, stop: () => server.end('SIGTERM') };
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
