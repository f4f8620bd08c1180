import { ordinaryFacts } from '../../src/rules/described-facts.ts';
import { discoverProviders } from '../../src/signals/discover-providers.ts';
import { planCollection } from '../../src/signals/plan-collection.ts';

const { enabled } = await discoverProviders({ enabled: null, paths: [] });

/** What the service would record of an address with nothing to it: no fact is left out. */
export const ORDINARY = ordinaryFacts(planCollection(enabled).catalogue);
