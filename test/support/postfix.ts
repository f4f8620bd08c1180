import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { issueLocalhostCertificate } from '../../src/http/server/certificate.ts';
import { aClosedPort } from './closed-port.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const run = promisify(execFile);
const POSTFIX = '/usr/sbin/postfix';

/** Why Postfix cannot be started here; null when it can. */
export const whyNoPostfix =
  process.platform !== 'linux'
    ? 'it is tried on Linux alone'
    : !existsSync(POSTFIX)
      ? 'the Debian package postfix is not installed'
      : process.getuid?.() !== 0
        ? 'its master needs root'
        : null;

/**
 * A separate Postfix on a free loopback port, with configuration, queue and data in a temporary directory; the machine's own Postfix
 * is not touched. At `strict.example` it accepts only `jane`, at `all.example` every address.
 */
export async function aPostfix(): Promise<{ readonly port: number }> {
  const directory = temporaryDirectory();
  const port = await aClosedPort();
  // Postfix daemons drop root and must still enter this directory.
  chmodSync(directory, 0o755);
  for (const name of ['config', 'queue', 'data']) mkdirSync(join(directory, name));
  const { uid, gid } = statSync('/var/lib/postfix');
  chownSync(join(directory, 'data'), uid, gid);
  const { cert, key } = await issueLocalhostCertificate(Date.now());
  writeFileSync(join(directory, 'config/tls.pem'), `${key}${cert}`, { mode: 0o600 });
  writeFileSync(
    join(directory, 'config/main.cf'),
    `compatibility_level = 3.6
queue_directory = ${directory}/queue
data_directory = ${directory}/data
myhostname = mx.postfix.example
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks =
mydestination = strict.example
local_recipient_maps = inline:{ { jane = known } }
virtual_alias_domains = all.example
virtual_alias_maps = inline:{ { @all.example = jane@strict.example } }
alias_maps =
smtpd_peername_lookup = no
smtpd_tls_security_level = encrypt
smtpd_tls_chain_files = ${directory}/config/tls.pem
`,
  );
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'proxymap unix - - n - - proxymap',
    'anvil unix - - n - 1 anvil',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'local unix - n n - - local',
    'error unix - - n - - error',
    'postlog unix-dgram n - n - 1 postlogd',
  ];
  writeFileSync(join(directory, 'config/master.cf'), `${services.join('\n')}\n`);
  const postfix = (command: string) => run(POSTFIX, ['-c', join(directory, 'config'), command]);
  await postfix('start');
  // Runs before the directory is deleted: hooks run in reverse order of registration.
  onTestFinished(async () => void (await postfix('stop')));
  return { port };
}
