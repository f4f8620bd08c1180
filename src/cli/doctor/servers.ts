import type { Config } from '../../app/config/config.ts';
import { AppError } from '../../errors.ts';
import { withoutPassword } from '../../lib/service-url.ts';
import { messageOf } from '../../lib/thrown.ts';
import type { ServerFacts } from '../../storage/postgres/examine-server.ts';
import { error, ok, type Verdict, warning } from './machine.ts';

/** Throws what keeps the server from being asked. */
export async function askPostgres({ storage: { url, directUrl } }: Config): Promise<ServerFacts> {
  const { examineServer } = await import('../../storage/postgres/examine-server.ts');
  try {
    return await examineServer(directUrl ?? url);
  } catch (thrown) {
    const why = messageOf(thrown instanceof AppError ? thrown.cause : thrown);
    throw new Error(`${withoutPassword(directUrl ?? url)} cannot be reached: ${why}`);
  }
}

/** Postern is tested on 15; https://www.postgresql.org/support/versioning/ has those that get no corrections any more. */
const OLDEST = 140_000;
/** Instances need no clocks that agree to better than a second. */
const APART_MS = 1_000;

export function examinePostgres({ storage }: Config, facts: ServerFacts): readonly Verdict[] {
  const shown = withoutPassword(storage.url);
  const { version, schema, synchronousCommit, aheadMs } = facts;
  const found = `${shown} is PostgreSQL ${version}`;
  const verdicts = [facts.versionNumber < OLDEST ? error(found, 'take 14 or later') : ok(found)];
  if (schema === null) {
    verdicts.push(warning('it has no schema yet', 'the first start makes it, or "postern migrate"'));
  } else if (schema.newer.length > 0) {
    verdicts.push(
      warning(
        `it has steps of a newer Postern: ${schema.newer.join(', ')}`,
        'upgrade the other instances soon',
      ),
    );
  } else if (schema.pending.length > 0) {
    const remedy = 'the next start takes them, or "postern migrate"';
    verdicts.push(warning(`it lacks steps: ${schema.pending.join(', ')}`, remedy));
  } else verdicts.push(ok('it has the schema of this version'));
  // Commits of checks set it for themselves: what it is elsewhere is for keys, people and rules.
  if (synchronousCommit === 'off') {
    const remedy =
      'set it to on: a crash of the server may lose what was revoked or published in the last second';
    verdicts.push(warning('synchronous_commit is off', remedy));
  }
  const apart = `the clocks differ by ${Math.round(Math.abs(aheadMs))} ms`;
  verdicts.push(
    Math.abs(aheadMs) > APART_MS
      ? warning(
          apart,
          `this one is ${aheadMs > 0 ? 'ahead' : 'behind'}: keep both right, by chrony for example`,
        )
      : ok(apart),
  );
  return verdicts;
}

/** Whether this machine hears at once what other instances change. */
export async function examineListening({ storage: { url, directUrl } }: Config): Promise<Verdict> {
  const { hearsAnnouncements } = await import('../../storage/postgres/examine-server.ts');
  if (await hearsAnnouncements(url, directUrl ?? url)) return ok('what other instances change is announced');
  return warning(
    'what other instances change is not announced: instances look every second',
    'set storage.direct_url to the server itself, past a pooler in transaction mode',
  );
}

/** Counts that are thrown away are too low: no harm but that limits and velocity forget. */
export async function examineSharedState(url: string): Promise<readonly Verdict[]> {
  const { examineValkey } = await import('../../shared-state/valkey/examine-server.ts');
  const { version, major, eviction, memoryLimit } = await examineValkey(url);
  const found = `${withoutPassword(url)} is ${version}`;
  const verdicts = [major < 7 ? error(found, 'take Valkey, or Redis 7 or later') : ok(found)];
  if (memoryLimit > 0 && eviction?.startsWith('allkeys') === true) {
    verdicts.push(
      warning(
        `maxmemory-policy is ${eviction}: in a full memory counts of others' keys push ours out`,
        'give Postern a server of its own, or set volatile-ttl',
      ),
    );
  } else verdicts.push(ok(`maxmemory-policy is ${eviction ?? 'not told'}`));
  return verdicts;
}
