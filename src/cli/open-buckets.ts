import type { KeyObject } from 'node:crypto';
import type { Config } from '../app/config/config.ts';
import { faultsIn } from '../errors.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { openRecords, readingUrl } from '../storage/open-records.ts';
import { readHmacKey } from '../storage/secret-store.ts';
import type { RecordsDatabase } from '../storage/shared/records-database.ts';
import type { Shell } from './shell.ts';

const FIND_STATE = 'SELECT value FROM service_state WHERE name = ?';

/**
 * The key by which the service tells on which side of a rollout an address is; undefined where no rule is rolled out. Where it cannot be read
 * a warning says so: rules that are rolled out stand aside then.
 */
export async function readBucketKey(
  shell: Shell,
  config: Config,
  ruleSets: readonly Pick<RuleSet, 'rollouts'>[],
): Promise<KeyObject | undefined> {
  const rolledOut = [...new Set(ruleSets.flatMap(({ rollouts }) => Object.keys(rollouts)))].sort();
  if (rolledOut.length === 0) return undefined;
  const cannotTell = (why: string): undefined =>
    void shell.warn(
      `${why}: on which side of a rollout an address is cannot be told, and these rules stand aside: ${rolledOut.join(', ')}`,
    );
  let records: RecordsDatabase | undefined;
  try {
    records = await openRecords(readingUrl(config.storage)).catch(() => undefined);
    const opened = records;
    const find = async (name: string) =>
      (await opened?.all<{ readonly value: string }>(FIND_STATE, name))?.[0]?.value;
    const key = await readHmacKey({ ...config.privacy, ...config.dashboard }, { find });
    return key ?? cannotTell(`${config.privacy.hmacKeyFile ?? 'the key of addresses'} is not there`);
  } catch (error) {
    return cannotTell(faultsIn(error).join('; '));
  } finally {
    await records?.close();
  }
}
