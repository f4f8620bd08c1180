import { openPipeline, type Pipeline } from '../app/compose/pipeline.ts';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { systemClock } from '../lib/system-clock.ts';
import type { Logger } from '../observability/logger.ts';
import { readProviderValues } from '../storage/sqlite/read-provider-values.ts';

interface OpenAssessor extends Pick<Pipeline, 'assessor' | 'collector' | 'policies'> {
  close(): void;
}

/**
 * The pipeline for a command: it reads what the service's providers have kept, asks nothing by SMTP, and keeps nothing. Apart from
 * `open-session.ts`, so that commands on the storage alone do not load it.
 */
export async function openAssessor(loaded: LoadedConfig, log: Logger): Promise<OpenAssessor> {
  const { assessor, collector, policies, stores } = await openPipeline(loaded, log, systemClock);
  const values = readProviderValues(loaded.config.storage.url);
  if (values) stores.open(values);
  return {
    assessor,
    collector,
    policies,
    close() {
      policies.close();
      stores.close();
      values?.close();
    },
  };
}
