import type { KeyObject } from 'node:crypto';
import type { Config } from '../app/config/config.ts';
import { faultsIn } from '../errors.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { ProviderStores } from '../signals/provider-ports.ts';
import { openRecords, readingUrl, readProviderValues } from '../storage/open-storage.ts';
import { readHmacKey } from '../storage/secret-store.ts';
import { loadSettings, quietly } from './open-session.ts';
import { openOwnPipeline } from './rules/open-rules.ts';
import type { Shell } from './shell.ts';

/**
 * Opens the assessment pipeline for a command: it reads the values that the service's providers have stored, stores none, and asks no
 * mail host. Not in `open-session.ts`, so that commands on the storage alone do not load the pipeline.
 */
export async function openAssessor(
  shell: Shell,
  { logLevel, asksAddresses = true }: { readonly logLevel?: 'warn'; readonly asksAddresses?: boolean } = {},
) {
  const loaded = await loadSettings(shell);
  const pipeline = await openOwnPipeline(shell, loaded, quietly(shell, logLevel));
  const { assessor, collector, policies, stores, buckets } = pipeline;
  // Only an address needs the key: a record has the hash already, and stated facts have no address.
  const key = asksAddresses && (await readBucketKey(shell, loaded.config, [policies.current.ruleSet]));
  if (key) buckets.open(key);
  const stored = await openStored(stores, loaded.config);
  return {
    assessor,
    collector,
    policies,
    async [Symbol.asyncDispose]() {
      policies.close();
      await stored[Symbol.asyncDispose]();
    },
  };
}

/** Gives providers the values that the service's providers have stored, where there are any, until it is disposed. */
export async function openStored(stores: ProviderStores, config: Config): Promise<AsyncDisposable> {
  const values = await readProviderValues(readingUrl(config.storage));
  if (values) stores.open(values);
  return {
    async [Symbol.asyncDispose]() {
      stores.close();
      await values?.close();
    },
  };
}

const FIND_STATE = 'SELECT value FROM service_state WHERE name = ?';

/**
 * The key that tells on which side of a rollout an address is. Undefined where no rule is rolled out, and where the key cannot be read:
 * then a warning names the rolled-out rules, which stand aside.
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
  const records = await openRecords(readingUrl(config.storage)).catch(() => undefined);
  try {
    const find = async (name: string) =>
      (await records?.all<{ readonly value: string }>(FIND_STATE, name))?.[0]?.value;
    const key = await readHmacKey(config, { find });
    return key ?? cannotTell(`${config.privacy.hmacKeyFile ?? 'the key of addresses'} is not there`);
  } catch (error) {
    return cannotTell(faultsIn(error).join('; '));
  } finally {
    await records?.close();
  }
}
