import { openPipeline } from '../app/compose/pipeline.ts';
import { readingUrl, readProviderValues } from '../storage/open-records.ts';
import { readBucketKey } from './open-buckets.ts';
import { loadSettings, quietly } from './open-session.ts';
import { ownPipelineRules } from './rules/own-rules.ts';
import type { Shell } from './shell.ts';

/**
 * The pipeline for a command: it reads what the service's providers have kept, asks nothing by SMTP, and keeps nothing. Apart from
 * `open-session.ts`, so that commands on the storage alone do not load it.
 */
export async function openAssessor(shell: Shell, logLevel?: 'warn') {
  const loaded = await loadSettings(shell);
  const rules = await ownPipelineRules(shell, loaded);
  const pipeline = await openPipeline({ loaded, ...quietly(shell, logLevel), ...rules });
  const { assessor, collector, policies, stores, buckets } = pipeline;
  const key = await readBucketKey(shell, loaded.config, [policies.current.ruleSet]);
  if (key) buckets.open(key);
  const values = await readProviderValues(readingUrl(loaded.config.storage));
  if (values) stores.open(values);
  const close = async () => {
    policies.close();
    stores.close();
    await values?.close();
  };
  return { assessor, collector, policies, close };
}
