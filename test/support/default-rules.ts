import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPipeline } from '../../src/app/compose/pipeline.ts';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { requireAddress } from '../../src/checks/assessor.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { createLogger } from '../../src/observability/logger.ts';
import type { Facts } from '../../src/rules/decision.ts';

/** Facts that look-ups return for an ordinary domain that takes mail. */
const FOUND: Facts = {
  'domain.has_mx': true,
  'mx.outcome': 'mx',
  'domain.is_known_disposable': false,
  'disposable.basis': 'none',
  'domain.is_catch_all': false,
};

/** Decides with the rules and local providers that Postern ships, without a network. */
export async function openDefaultRules() {
  const dataDir = mkdtempSync(join(tmpdir(), 'postern-rules-'));
  const loaded = await loadConfig({ dataDir, files: [], env: {}, cwd: packageRoot, port: 0 });
  const { collector, policies, close } = await openPipeline({ loaded, log: createLogger('silent') });
  const { decider, providers } = policies.current;
  return {
    async close() {
      await close();
      rmSync(dataDir, { recursive: true });
    },
    /** `found` adds to the facts of `FOUND`, or overrides them. */
    async decide(email: string, found: Facts = {}) {
      const address = requireAddress(email);
      const { facts } = await collector.collectLocal(address, providers);
      return { address, decision: await decider.decide({ ...facts, ...FOUND, ...found }) };
    },
  };
}
