import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LoadGenerator } from '../http/load-generator.ts';
import type { Section } from '../report/section.ts';
import { number, table } from '../report/table.ts';
import { startLoopbackDns } from '../support/loopback-dns.ts';
import { root, workDirectory } from '../support/paths.ts';
import { authorityOf, startPostern } from '../support/postern.ts';
import { residentMb } from '../support/process-cost.ts';
import { checkFile } from './check-file.ts';
import type { Growth } from './growth.ts';

/** Just below the 10,000 entries of a provider's answer cache: the cache is nearly full at the end, and each domain is looked up once. */
const FIRMS = 9_500;
const CHECKS = 1_000_000;
/** V8 gives memory back late, if at all. */
const REST_SECONDS = 90;

export const memory: Section = {
  title: 'Memory',
  async measure(note) {
    const unit = readUnit();
    const dns = await startLoopbackDns(FIRMS);
    try {
      const inAFile = await checkFile(CHECKS, FIRMS, dns.address);
      note(
        `a file: ${number(inAFile.after)} MB after ${inAFile.done} checks in ${number(inAFile.seconds)} s`,
      );
      const overHttp = await checksOverHttp(dns.address, unit);
      note(
        `over HTTP: ${number(overHttp.after)} MB after ${overHttp.done} checks in ${number(overHttp.seconds)} s, ${number(overHttp.atRest)} at rest`,
      );
      const row = (name: string, { done, before, after, peak, atRest, seconds }: Growth) => [
        name,
        done.toLocaleString('en'),
        ...[before, after, peak].map(number),
        atRest === undefined ? '' : number(atRest),
        number(seconds),
      ];
      const markdown = [
        `Resident memory (RSS) of the process, in MB of 10⁶ octets. No two addresses are alike, and their ${FIRMS.toLocaleString('en')} domains`,
        'nearly fill the caches. Nothing from outside asks for a garbage collection. "Before" is when the first answers are written, and at',
        `the ready line over HTTP; "at rest" is when nothing has been asked for ${REST_SECONDS} s. The service runs as its unit starts it,`,
        `with \`${unit.flags.join(' ')}\` and \`${unit.malloc}\`.`,
        '',
        table(
          ['', 'checks', 'before', 'after', 'highest seen', 'at rest', 'seconds'],
          [row('`postern check --file`', inAFile), row('service over HTTP, all recorded', overHttp)],
        ),
      ].join('\n');
      return {
        markdown,
        goals: [
          {
            what: 'resident memory of a service at rest after a million checks over HTTP',
            measured: overHttp.atRest,
            unit: ' MB',
            limit: 300,
          },
        ],
      };
    } finally {
      await dns.close();
    }
  },
};

async function checksOverHttp(dns: string, { flags, malloc }: Unit): Promise<Required<Growth>> {
  const [name, value] = malloc.split('=') as [string, string];
  const postern = await startPostern({
    dataDir: workDirectory('memory'),
    dns,
    nodeArgs: flags,
    env: { [name]: value },
  });
  const generator = new LoadGenerator();
  try {
    const before = residentMb(postern.pid);
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMb(postern.pid));
    }, 200);
    const started = performance.now();
    await generator.run({
      targets: [{ port: postern.port, ca: authorityOf(postern), key: postern.key }],
      pids: [postern.pid],
      connections: 32,
      firstAddress: 0,
      amount: CHECKS,
      firms: FIRMS,
    });
    clearInterval(watch);
    const seconds = (performance.now() - started) / 1000;
    const after = residentMb(postern.pid);
    await setTimeout(REST_SECONDS * 1000);
    const atRest = residentMb(postern.pid);
    return { done: CHECKS, before, after, atRest, peak: Math.max(peak, after), seconds };
  } finally {
    generator.stop();
    await postern.stop();
  }
}

interface Unit {
  readonly flags: readonly string[];
  /** The environment variable, `NAME=value`, that limits glibc's malloc. */
  readonly malloc: string;
}

/** The node flags and the malloc setting of the shipped systemd unit. */
function readUnit(): Unit {
  const unit = readFileSync(join(root, 'deploy/systemd/postern.service'), 'utf8');
  const [, flags] = /^ExecStart=\S+ ((?:--\S+ )+)/m.exec(unit) ?? [];
  const [, malloc] = /^Environment=(MALLOC_\w+=\d+)$/m.exec(unit) ?? [];
  if (flags === undefined || malloc === undefined) throw new Error('the unit bounds no memory');
  return { flags: flags.trim().split(' '), malloc };
}
