import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkMany } from '../http/load.ts';
import type { Section } from '../report/section.ts';
import { number, table } from '../report/table.ts';
import { addressAt } from '../support/addresses.ts';
import { startLoopbackDns } from '../support/loopback-dns.ts';
import { root, workDirectory } from '../support/paths.ts';
import { startPostern } from '../support/postern.ts';
import { residentMb } from '../support/process-cost.ts';

/** Nearly as many domains as a cache of answers keeps (20,000): full at the end, and asked about once. */
const FIRMS = 19_000;
const OVER_HTTP = 100_000;
/** The bounds that the command `postern` sets itself as it starts (`src/cli/bound-heap.ts`). */
const BOUNDS = ['--max-semi-space-size=8', '--heap-growing-percent=25'];

interface Growth {
  readonly done: number;
  readonly before: number;
  readonly after: number;
  readonly peak: number;
  readonly seconds: number;
}

export const memory: Section = {
  title: 'Memory',
  async measure(note) {
    const dns = await startLoopbackDns(FIRMS);
    try {
      const inProcess = await millionChecks(dns.address);
      note(
        `in process: ${number(inProcess.after)} MB after ${inProcess.done} checks in ${number(inProcess.seconds)} s`,
      );
      const overHttp = await checksOverHttp(dns.address);
      note(
        `over HTTP: ${number(overHttp.after)} MB after ${overHttp.done} checks in ${number(overHttp.seconds)} s`,
      );
      const row = (name: string, { done, before, after, peak, seconds }: Growth) => [
        name,
        done.toLocaleString('en'),
        ...[before, after, peak, seconds].map(number),
      ];
      const markdown = [
        `Resident memory (RSS) of the process, in MB of 10⁶ octets. No two addresses are alike, and their ${FIRMS.toLocaleString('en')} domains`,
        'nearly fill the caches. Nothing asks for a garbage collection. "Before" is after 1,000 checks in process, and at',
        `the ready line over HTTP. In process the heap is bounded as in the service (\`${BOUNDS.join(' ')}\`), and some`,
        "18 MB are node's own reader of TypeScript, which the script of the measurement needs and the product does not.",
        '',
        table(
          ['', 'checks', 'before', 'after', 'highest seen', 'seconds'],
          [row('pipeline in process', inProcess), row('service over HTTP, all recorded', overHttp)],
        ),
      ].join('\n');
      return {
        markdown,
        goals: [
          {
            what: 'resident memory after a million checks in process',
            measured: inProcess.after,
            unit: ' MB',
            floor: 200,
            isCeiling: true,
          },
        ],
      };
    } finally {
      await dns.close();
    }
  },
};

async function millionChecks(dns: string): Promise<Growth> {
  const script = join(root, 'bench/memory/million-checks.ts');
  const args = [...BOUNDS, script, dns, String(FIRMS)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

async function checksOverHttp(dns: string): Promise<Growth> {
  const postern = await startPostern({ dataDir: workDirectory('memory'), dns });
  try {
    const before = residentMb(postern.pid);
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMb(postern.pid));
    }, 200);
    const started = performance.now();
    await checkMany({
      server: postern,
      key: postern.key,
      amount: OVER_HTTP,
      addressOf: (n) => addressAt(n, FIRMS),
    });
    clearInterval(watch);
    const after = residentMb(postern.pid);
    return {
      done: OVER_HTTP,
      before,
      after,
      peak: Math.max(peak, after),
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await postern.stop();
  }
}
