import { openPipeline, type Pipeline } from '../../dist/src/app/compose/pipeline.js';
import { loadConfig } from '../../dist/src/app/config/load-config.js';
import { createLogger } from '../../dist/src/observability/logger.js';
import { workDirectory } from './paths.ts';
import { writeConfig } from './postern-config.ts';

/** Opens the built pipeline in this process, with the shipped rules and the given DNS server. */
export async function openBuiltPipeline(dns: string): Promise<Pipeline> {
  const directory = workDirectory('pipeline');
  const files = [writeConfig(directory, dns)];
  const loaded = await loadConfig({ dataDir: directory, files, env: {}, cwd: directory, port: 0 });
  return openPipeline({ loaded, log: createLogger('silent') });
}
