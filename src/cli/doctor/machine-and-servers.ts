import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../../app/config/config.ts';
import type { Environment } from '../../app/config/environment-layer.ts';
import { reasonOf } from '../../errors.ts';
import { openFileLimit, openFilesNeeded } from '../../http/server/listeners.ts';
import { isPostgresUrl, withoutPassword } from '../../lib/service-url.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../lib/time.ts';
import { probeServers } from '../../net/create-dns-resolver.ts';
import type { ServerFacts } from '../../storage/postgres/migrate.ts';
import { error, ok, unknown, type Verdict, warning } from './findings.ts';

const MEGABYTE = 1e6;
/** Less free space is an error, or a warning. A record takes 3.2 kB (decision 44): room for some 80,000 checks, or 600,000. */
const LEAST_FREE = 256 * MEGABYTE;
const LITTLE_FREE = 2_000 * MEGABYTE;

export const megabytes = (bytes: number): string => `${Math.round(bytes / MEGABYTE).toLocaleString('en')} MB`;

/** Free space on the disk of the database. */
export function examineDisk({ storage, dataDir }: Config): Verdict {
  // A PostgreSQL server's own disk is not examined, but that of the data directory is.
  let directory = isPostgresUrl(storage.url) ? dataDir : dirname(storage.url);
  while (!existsSync(directory)) directory = dirname(directory);
  const { bavail, bsize } = statfsSync(directory);
  const free = `${megabytes(bavail * bsize)} free at ${directory}`;
  const remedy = 'free space, or lower retention.days; without space every check is answered 503';
  if (bavail * bsize < LEAST_FREE) return error(free, remedy);
  return bavail * bsize < LITTLE_FREE ? warning(free, remedy) : ok(free);
}

/** How many files the running service may open, else a process that is started here, against the number needed. */
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

/** Id of the process that holds the data directory's lock, as Linux tells it (proc_locks(5)); null where none does, or none is told. */
function servicePid(dataDir: string): number | null {
  const inode = statSync(join(dataDir, 'serve.lock'), { throwIfNoEntry: false })?.ino;
  const locks = inode !== undefined && existsSync('/proc/locks') ? readFileSync('/proc/locks', 'utf8') : '';
  const [, pid] = new RegExp(` ([1-9]\\d*) [0-9a-f]+:[0-9a-f]+:${inode} `).exec(locks) ?? [];
  return pid === undefined ? null : Number(pid);
}

/** A record may be this far in the future: made by another machine, or while a clock is slewed. */
const AHEAD_MS = 60_000;

/**
 * Compares the clock with the newest time on record, and says whether the system synchronizes it. `newest` is undefined where nothing is on
 * record, null where that cannot be read.
 */
export async function examineClock(now: number, newest: string | null | undefined, env: Environment) {
  const found = compareWithNewest(now, newest);
  const isKept = await isSynchronized(env);
  if (isKept === undefined)
    return [found, unknown('neither timedatectl nor chronyc tells whether the clock is kept right')];
  return [
    found,
    isKept ? ok('the clock is synchronized') : warning('the clock is not synchronized', SET_CLOCK),
  ];
}

const SET_CLOCK = 'set it, and keep it right: timedatectl set-ntp true, or chrony';

function compareWithNewest(now: number, newest: string | null | undefined): Verdict {
  const time = `it is ${isoTime(now)}`;
  if (newest === null) return unknown(`${time}; what is on record cannot be read`);
  if (newest === undefined) return ok(`${time}; nothing is on record yet`);
  const told = `${time}; the newest record or pass is of ${newest}`;
  const aheadMs = Date.parse(newest) - now;
  if (aheadMs > AHEAD_MS) return error(`the clock is behind: ${told}`, SET_CLOCK);
  if (aheadMs < -DAY_MS)
    return warning(`more than a day has gone by: ${told}`, `if that is not so, ${SET_CLOCK}`);
  return ok(told);
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

/** Throws an Error that says why the server cannot be reached. */
export async function askPostgres({ storage: { url, directUrl } }: Config): Promise<ServerFacts> {
  const { examineServer } = await import('../../storage/postgres/migrate.ts');
  return await examineServer(directUrl ?? url).catch(cannotReach(directUrl ?? url));
}

function cannotReach(url: string) {
  return (thrown: unknown): never => {
    throw new Error(`${withoutPassword(url)} cannot be reached: ${reasonOf(thrown)}`);
  };
}

/** 14. Postern is tested on 15; https://www.postgresql.org/support/versioning/ has the versions that get no corrections any more. */
const OLDEST = 140_000;
/** Instances need clocks that agree to a second, no better. */
const APART_MS = 1_000;
const UNITS = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
  [1, 'ms'],
] as const;

/** `1 h` of 3,599,893 ms, `1.5 h`, `140 ms`: two figures, in the largest unit of which there is one. */
function roughly(ms: number): string {
  for (const [size, unit] of UNITS) {
    const rounded = Number((ms / size).toPrecision(2));
    if (rounded >= 1) return `${rounded} ${unit}`;
  }
  return '0 ms';
}

export function examinePostgres({ storage }: Config, facts: ServerFacts): readonly Verdict[] {
  const shown = withoutPassword(storage.url);
  const { version, schema, synchronousCommit, aheadMs } = facts;
  const found = `${shown} is PostgreSQL ${version}`;
  const verdicts = [facts.versionNumber < OLDEST ? error(found, 'take 14 or later') : ok(found)];
  if (facts.encoding !== 'UTF8')
    verdicts.push(error(`its encoding is ${facts.encoding}`, "make one with ENCODING 'UTF8'"));
  if (!facts.takesWrites) {
    const remedy = 'name the primary in storage.url, or unset default_transaction_read_only there';
    verdicts.push(error('it takes no writes: every check is answered 503', remedy));
  }
  if (schema === null) {
    verdicts.push(warning('it has no schema yet', 'the first start makes it, or "postern migrate"'));
  } else if (schema.refusal !== undefined) {
    verdicts.push(error(schema.refusal, 'start that version'));
  } else if (schema.newer.length > 0) {
    const steps = schema.newer.join(', ');
    verdicts.push(warning(`it has steps of a newer Postern: ${steps}`, 'upgrade the other instances soon'));
  } else if (schema.pending.length > 0) {
    const remedy = 'the next start takes them, or "postern migrate"';
    verdicts.push(warning(`it lacks steps: ${schema.pending.join(', ')}`, remedy));
  } else verdicts.push(ok('it has the schema of this version'));
  // Commits of checks set synchronous_commit themselves. The server's value counts for keys, people and rules.
  if (synchronousCommit === 'off') {
    const remedy =
      'set it to on: a crash of the server may lose what was revoked or published in the last second';
    verdicts.push(warning('synchronous_commit is off', remedy));
  }
  const apart = `the clocks differ by ${roughly(Math.abs(aheadMs))}`;
  const remedy = `this one is ${aheadMs > 0 ? 'ahead' : 'behind'}: keep both right, by chrony for example`;
  return [...verdicts, Math.abs(aheadMs) > APART_MS ? warning(apart, remedy) : ok(apart)];
}

/** Whether this machine hears at once what other instances change. */
export async function examineListening({ storage: { url, directUrl } }: Config): Promise<Verdict> {
  const { hearsAnnouncements } = await import('../../storage/postgres/migrate.ts');
  if (await hearsAnnouncements(url, directUrl ?? url)) return ok('what other instances change is announced');
  const { databaseAt } = await import('../../storage/postgres/connections.ts');
  if (directUrl !== null && (await databaseAt({ url })) !== (await databaseAt({ url: directUrl })))
    return error('storage.direct_url leads to another database than storage.url', 'name the same one');
  return warning(
    'what other instances change is not announced: instances look every second',
    'set storage.direct_url to the server itself, past a pooler in transaction mode',
  );
}

const NEARLY_FULL = 0.9;
/** Refuses, or evicts what was not used for longest (decision 51). `volatile-ttl` would evict the windows of limits first. */
const GOOD_EVICTIONS = ['noeviction', 'volatile-lru'];

/**
 * Where Valkey evicts counters, counts are too low: limits and velocity forget, and nothing else breaks. Throws an Error that says why
 * the server cannot be reached.
 */
export async function examineSharedState(url: string): Promise<readonly Verdict[]> {
  const { examineValkey } = await import('../../shared-state/valkey/connection.ts');
  const facts = await examineValkey(url).catch(cannotReach(url));
  const { version, major, eviction, memoryLimit, memoryUsed } = facts;
  const found = `${withoutPassword(url)} is ${version}`;
  const verdicts = [major < 7 ? error(found, 'take Valkey, or Redis 7 or later') : ok(found)];
  if (memoryLimit > 0 && eviction !== undefined && !GOOD_EVICTIONS.includes(eviction)) {
    verdicts.push(
      warning(
        `maxmemory-policy is ${eviction}: a full memory pushes out counts that are still needed`,
        'set volatile-lru, or noeviction',
      ),
    );
  } else verdicts.push(ok(`maxmemory-policy is ${eviction ?? 'not told'}`));
  if (memoryLimit > 0 && memoryUsed > NEARLY_FULL * memoryLimit) {
    const used = `${megabytes(memoryUsed)} of maxmemory ${megabytes(memoryLimit)} are used`;
    const does = eviction === 'noeviction' ? 'refuses to count' : 'gives counts up early';
    verdicts.push(warning(`${used}: a full one ${does}`, 'raise maxmemory'));
  }
  return verdicts;
}
