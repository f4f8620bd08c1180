import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Pipeline } from '../../app/compose/pipeline.ts';
import type { Config } from '../../app/config/config.ts';
import { youngestListDays } from '../../attention/attention.ts';
import { CERTIFICATE_ENDS_SOON_MS, OLD_LIST_DAYS } from '../../attention/conditions.ts';
import { ensureCertificate } from '../../http/server/certificate.ts';
import { messageOf } from '../../lib/thrown.ts';
import { DAY_MS } from '../../lib/time.ts';
import { complaintOf, statusOf } from '../../lists/list-status.ts';
import { openListStore } from '../../lists/open-list-store.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { halfCopied } from '../../storage/open-storage.ts';
import { requireDatabaseOf, verifySecrets } from '../../storage/secret-store.ts';
import { compareSchema } from '../../storage/sqlite/migrate.ts';
import { READ_BY_CHECKS } from '../../storage/sqlite/sqlite-storage.ts';
import { error, ok, unknown, type Verdict, warning } from './findings.ts';
import { megabytes } from './machine-and-servers.ts';

/** Directories that are for the service's user alone, with the files in them. The rules directory is not. */
const PRIVATE = ['secrets', 'tls', 'counters', 'lists'];

/** Whether the service's user, and no other, can use what it keeps. */
export function examineDirectory({ dataDir, storage }: Config): readonly Verdict[] {
  const directory = statSync(dataDir, { throwIfNoEntry: false });
  if (directory === undefined) {
    return [warning(`${dataDir} is not there`, 'is --data-dir right? The first start makes it')];
  }
  const files = [dataDir, join(dataDir, 'first-run.txt'), join(dataDir, 'revocations.log')]
    .concat(['', '-wal', '-shm'].map((suffix) => storage.url + suffix))
    .concat(
      PRIVATE.map((name) => join(dataDir, name)).flatMap((path) => [path, ...filesIn(path, directory.uid)]),
    );
  const faults = files.flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? [] : faultsOf(file, found, directory.uid);
  });
  const user = process.getuid?.();
  if (user !== undefined && user !== 0 && user !== directory.uid) {
    faults.push(error(`${dataDir} belongs to user ${directory.uid}`, 'run as that user, or chown -R it'));
  }
  try {
    accessSync(dataDir, constants.W_OK);
  } catch (thrown) {
    const remedy = 'where the disk was mounted anew after an error, look at dmesg, and take a backup first';
    faults.push(error(`${dataDir} cannot be written: ${messageOf(thrown)}`, remedy));
  }
  if (existsSync(join(dataDir, 'first-run.txt'))) {
    faults.push(warning('first-run.txt still holds the first key and link', 'take them out, and delete it'));
  }
  return faults.length > 0 ? faults : [ok(`${dataDir} is private to user ${directory.uid}`)];
}

/** Empty where the directory belongs to another user, which is a fault of its own: often only that user may look into it. */
function filesIn(path: string, owner: number): readonly string[] {
  const isOwn = statSync(path, { throwIfNoEntry: false })?.uid === owner;
  return isOwn ? readdirSync(path).map((name) => join(path, name)) : [];
}

function faultsOf(file: string, found: Stats, owner: number): Verdict[] {
  const { mode, uid } = found;
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  const faults: Verdict[] = [];
  if (mode & 0o007) faults.push(error(`${file} is open to others (mode ${octal})`, 'chmod o= it'));
  if (mode & 0o070) faults.push(warning(`${file} is open to its group (mode ${octal})`, 'chmod g= it'));
  if (uid !== owner) {
    const remedy = found.isDirectory() ? 'chown -R it' : 'chown it';
    faults.push(error(`${file} belongs to user ${uid}, the data directory to ${owner}`, remedy));
  }
  return faults;
}

/** In bytes. A longer write-ahead log is a warning; under load it has some 10 MB, and 90 MB while much is deleted. */
const LONG_LOG = 256e6;

const READ_BY_START = ['SELECT max(created_at) FROM accounts', 'SELECT max(value) FROM service_state'];

/** Reads the tables that a start and readiness read. `database` is null where there is none. Throws where a table cannot be read. */
export function examineDatabase({ storage, ...config }: Config, database: DatabaseSync | null) {
  requireDatabaseOf(storage.url, config.dataDir);
  if (database === null) {
    return [
      warning(`there is no database at ${storage.url}`, 'is --data-dir right? The first start makes it'),
    ];
  }
  const otherSchema = examineSchema(storage.url, database);
  if (otherSchema) return [otherSchema];
  for (const sql of [...READ_BY_CHECKS, ...READ_BY_START]) database.prepare(sql).get();
  const log = statSync(`${storage.url}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const sizes = `${storage.url} can be read: ${megabytes(statSync(storage.url).size)}, its log ${megabytes(log)}`;
  if (log < LONG_LOG) return [ok(sizes)];
  return [warning(sizes, 'end the program that has been reading it for long, an open sqlite3 for example')];
}

/** Undefined where the schema is this version's. */
export function examineSchema(url: string, database: DatabaseSync): Verdict | undefined {
  const { pending, newer } = compareSchema(database);
  if (newer.length > 0) {
    return error(`${url} was written by a newer Postern`, 'go on with that version, or restore a backup');
  }
  if (pending.length === 0) return undefined;
  return warning(
    `${url} lacks steps: ${pending.join(', ')}`,
    'the next start takes them, or "postern migrate"',
  );
}

/** An error where the database holds part of an unfinished copy; else empty. */
export function examineCopy(find: (name: string) => string | undefined): readonly Verdict[] {
  const source = find('unfinished_copy');
  return source === undefined ? [] : [error(halfCopied(source), null)];
}

/** Whether each key is there, for its owner alone, and the one that the database was used with. Rejects with a StartupError. */
export async function examineSecrets(
  config: Config,
  find: (name: string) => string | undefined,
  isRead = true,
): Promise<Verdict> {
  await verifySecrets(config, { find: async (name) => find(name) });
  if (!isRead) return unknown('with which secrets the database was used: it cannot be read');
  if (find('hmac_key') === undefined) return ok('no database was used with a secret yet');
  return ok('each secret is private, and the one that the database was used with');
}

/** The certificate that a start would take. Rejects with a StartupError. */
export async function examineCertificate(config: Config, clock: Clock): Promise<Verdict> {
  const { certFile } = config.http.tls;
  const file = certFile ?? join(config.dataDir, 'tls', 'cert.pem');
  if (certFile !== null) await ensureCertificate(config, clock);
  else if (!existsSync(file)) return ok('the first start makes one for localhost');
  const { validFromDate: start, validToDate: end } = new X509Certificate(readFileSync(file));
  if (start.getTime() > clock.now()) {
    const remedy =
      'is the clock right? Then it was ahead when this one was made: delete it, then send SIGHUP';
    return error(`${file} is not valid before ${start.toISOString()}`, remedy);
  }
  const days = Math.floor((end.getTime() - clock.now()) / DAY_MS);
  const found = `${file} holds until ${end.toISOString()} (${days} days)`;
  const remedy = certFile === null ? 'send SIGHUP, which makes it anew' : 'renew it, then send SIGHUP';
  if (days < 0) return error(found, remedy);
  return end.getTime() - clock.now() < CERTIFICATE_ENDS_SOON_MS ? warning(found, remedy) : ok(found);
}

/** The age of the lists of throw-away services: of each downloaded one, or of the youngest that comes with Postern. */
export async function examineLists(config: Config, pipeline: Pipeline | undefined, now: number) {
  const { urls, staleAfterHours } = config.lists;
  if (urls.length > 0) {
    await using kept = await openListStore(config);
    const statuses = statusOf(urls, await kept.store.read(), { now, staleAfterHours });
    return statuses.map((status) => {
      const complaint = complaintOf(status);
      if (complaint === undefined) return ok(`${status.list} was confirmed ${status.age_hours} hours ago`);
      return warning(complaint, '"postern lists update" takes it, or says what is wrong with it');
    });
  }
  if (pipeline === undefined) return [unknown('which lists are in use is known where the rules load')];
  const { collector, policies } = pipeline;
  const youngest = youngestListDays(collector.catalogue, policies.current.providers, now);
  if (youngest === null) return [unknown('no list of throw-away services says of which day it is')];
  const found = `the youngest list of throw-away services that comes with Postern is ${youngest} days old`;
  const remedy = 'name a list in lists.urls, or update Postern';
  return [youngest < OLD_LIST_DAYS ? ok(found) : warning(found, remedy)];
}
