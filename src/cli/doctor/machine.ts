import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../../app/config/config.ts';
import type { Environment } from '../../app/config/environment-layer.ts';
import { openFileLimit, openFilesNeeded } from '../../http/server/open-files.ts';
import { isPostgresUrl } from '../../lib/service-url.ts';
import { DAY_MS, isoTime } from '../../lib/time.ts';
import { probeServers } from '../../net/create-dns-resolver.ts';

/** What one examination came to. A remedy says what to do. */
export interface Verdict {
  readonly level: 'ok' | 'unknown' | 'warning' | 'error';
  readonly message: string;
  readonly remedy: string | null;
}

export const ok = (message: string): Verdict => ({ level: 'ok', message, remedy: null });
export const unknown = (message: string): Verdict => ({ level: 'unknown', message, remedy: null });
export const warning = (message: string, remedy: string): Verdict => ({ level: 'warning', message, remedy });
export const error = (message: string, remedy: string | null): Verdict => ({
  level: 'error',
  message,
  remedy,
});

const MEGABYTE = 1e6;
/** A record takes 3.2 kB (decision 44): some eighty thousand checks, and six hundred thousand. */
const LEAST_FREE = 256 * MEGABYTE;
const LITTLE_FREE = 2_000 * MEGABYTE;

export const megabytes = (bytes: number): string => `${Math.round(bytes / MEGABYTE).toLocaleString('en')} MB`;

/** Room beside the database. */
export function examineDisk({ storage, dataDir }: Config): Verdict {
  // The disk of a server is the server's matter.
  let directory = isPostgresUrl(storage.url) ? dataDir : dirname(storage.url);
  while (!existsSync(directory)) directory = dirname(directory);
  const { bavail, bsize } = statfsSync(directory);
  const free = `${megabytes(bavail * bsize)} free at ${directory}`;
  const remedy = 'free space, or lower retention.days; without space every check is answered 503';
  if (bavail * bsize < LEAST_FREE) return error(free, remedy);
  return bavail * bsize < LITTLE_FREE ? warning(free, remedy) : ok(free);
}

/** Files that the running service may open, else a process that is started here. */
export function examineOpenFiles({ dataDir, http, metrics }: Config): Verdict {
  const pid = servicePid(dataDir);
  const limit = openFileLimit(pid ?? 'self');
  if (limit === Number.POSITIVE_INFINITY) return unknown('no limit of open files is told here');
  const { ports, needed } = openFilesNeeded(http, metrics.port);
  const who = pid === null ? 'a process that is started here' : `the service (process ${pid})`;
  const found = `${who} may have ${limit} files open; ${ports} ports with http.max_connections need ${needed}`;
  const remedy = 'raise it (LimitNOFILE of a unit, ulimits of a container), or lower http.max_connections';
  return limit < needed ? warning(found, remedy) : ok(found);
}

/** Of the service that holds the data directory's lock, as Linux tells it (proc_locks(5)); null where there is none, or none is told. */
function servicePid(dataDir: string): number | null {
  const inode = statSync(join(dataDir, 'serve.lock'), { throwIfNoEntry: false })?.ino;
  const locks = inode !== undefined && existsSync('/proc/locks') ? readFileSync('/proc/locks', 'utf8') : '';
  const [, pid] = new RegExp(` ([1-9]\\d*) [0-9a-f]+:[0-9a-f]+:${inode} `).exec(locks) ?? [];
  return pid === undefined ? null : Number(pid);
}

/** Between two machines, or a clock that is being slewed. */
const AHEAD_MS = 60_000;

/** The clock, held to what the database has seen, and whether the system keeps it right. `newest` is undefined where nothing is on record. */
export async function examineClock(
  now: number,
  newest: string | undefined,
  env: Environment,
): Promise<readonly Verdict[]> {
  const remedy = 'set it, and keep it right: timedatectl set-ntp true, or chrony';
  const aheadMs = newest === undefined ? 0 : Date.parse(newest) - now;
  const seen =
    newest === undefined ? 'nothing is on record yet' : `the newest record or pass is of ${newest}`;
  const told = `it is ${isoTime(now)}; ${seen}`;
  const found =
    aheadMs > AHEAD_MS
      ? error(`the clock is behind: ${told}`, remedy)
      : aheadMs < -DAY_MS
        ? warning(`more than a day has gone by: ${told}`, `if that is not so, ${remedy}`)
        : ok(told);
  const isKept = await isSynchronized(env);
  if (isKept === undefined)
    return [found, unknown('neither timedatectl nor chronyc tells whether the clock is kept right')];
  return [found, isKept ? ok('the clock is synchronized') : warning('the clock is not synchronized', remedy)];
}

const SYNCHRONIZERS = [
  {
    command: 'timedatectl',
    args: ['show', '--property=NTPSynchronized', '--value'],
    isYes: /^yes/,
    isNo: /^no/,
  },
  {
    command: 'chronyc',
    args: ['-n', 'tracking'],
    isYes: /^Leap status +: (?!Not)/m,
    isNo: /^Leap status +: Not/m,
  },
];

/** Undefined where no program tells, as in most containers: their machine keeps the clock. */
async function isSynchronized(env: Environment): Promise<boolean | undefined> {
  for (const { command, args, isYes, isNo } of SYNCHRONIZERS) {
    const { stdout } = await promisify(execFile)(command, args, { env, timeout: 2_000 }).catch(() => ({
      stdout: '',
    }));
    if (isYes.test(stdout)) return true;
    if (isNo.test(stdout)) return false;
  }
  return undefined;
}

export async function examineDns({ dns }: Config): Promise<readonly Verdict[]> {
  const remedy = 'mend it, or name resolvers in dns.servers; until then answers say Postern-Degraded: mx';
  const probed = await probeServers(dns);
  if (probed.length === 0) return [error('the system names no DNS server', remedy)];
  const isAnyRight = probed.some(({ outcome }) => outcome === 'found');
  const complain = isAnyRight ? warning : error;
  return probed.map(({ server, outcome }) => {
    if (outcome === 'found') return ok(`${server} replies, and finds a root server`);
    if (outcome === 'timeout' || outcome === 'error') return complain(`${server} does not reply`, remedy);
    return complain(`${server} replies, but finds no root server (${outcome})`, remedy);
  });
}
