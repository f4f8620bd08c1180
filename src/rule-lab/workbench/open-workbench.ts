import type { Config } from '../../app/config/config.ts';
import type { PolicyBook } from '../../checks/policy-book.ts';
import type { RulesKeeper } from '../../checks/rules-keeper.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { SignalCollector } from '../../signals/signal-collector.ts';
import type { Storage } from '../../storage/ports.ts';
import type { BenchOpening } from './bench-messages.ts';
import { createBench } from './create-bench.ts';
import { rulesInForce } from './rules-in-force.ts';
import { Workbench } from './workbench.ts';

export interface OpeningParts {
  readonly config: Config;
  readonly collector: SignalCollector;
  readonly providerOptions: BenchOpening['providerOptions'];
  readonly policies: PolicyBook;
  readonly keeper: RulesKeeper;
  readonly storage: Storage;
  readonly clock: Clock;
}

/** The service's workbench. Nothing is started before somebody works. */
export async function openWorkbench({
  policies,
  keeper,
  storage,
  ...opening
}: OpeningParts): Promise<Workbench> {
  return new Workbench({
    dir: opening.config.rules.dir,
    catalogue: opening.collector.catalogue,
    bench: await createBench(opening),
    store: storage.ruleDrafts,
    versions: storage.ruleVersions,
    keeper,
    inForce: () => rulesInForce(policies),
    clock: opening.clock,
  });
}
