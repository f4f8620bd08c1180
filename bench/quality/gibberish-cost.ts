import { createRequire } from 'node:module';
import type { Address, LocalProvider } from '../../dist/src/provider-kit/index.js';
import { type Cost, type Load, measureCosts } from './cost.ts';
import { localParts } from './local-parts.ts';
import type { MeasuringData } from './measuring-data.ts';

const require = createRequire(import.meta.url);
export const DETECTIVE = 'gibberish-detective';

/** Of each class the same number, so that no pattern of great length decides. */
const EACH = 500;

/** The providers alone, without the pipeline around them, beside the peer. */
export function gibberishCosts(data: MeasuringData): Promise<readonly Cost[]> {
  const inputs = ['name', 'random', 'words'].flatMap((kind) =>
    localParts(data, kind)
      .slice(0, EACH)
      .map((text) => text.toLowerCase()),
  );
  const contestants: Readonly<Record<string, Load>> = {
    'Postern, gibberish': () => provider('gibberish', { likely_from: 0.5 }),
    'Postern, entropy': () => provider('entropy', { suspicious_above: [{ from_length: 12, bits: 3.42 }] }),
    [DETECTIVE]: async () => require(DETECTIVE)().assignScore,
  };
  return measureCosts(contestants, inputs);
}

async function provider(id: string, thresholds: Readonly<Record<string, unknown>>) {
  const module: { default: LocalProvider<unknown> } = await import(`../../dist/providers/${id}/index.js`);
  const { prepare, check } = module.default;
  const prepared = await prepare?.({
    options: {},
    thresholds,
    lists: { allow: [], deny: [] },
    downloads: async () => [],
  });
  const context = {
    needs: {},
    options: {},
    thresholds,
    state: prepared?.state,
    signal: new AbortController().signal,
  };
  return (localPart: string) => check(addressOf(localPart), context);
}

function addressOf(localPart: string): Address {
  const domain = 'example.com';
  const address = `${localPart}@${domain}`;
  return {
    raw: address,
    localPart,
    domain,
    domainKind: 'name',
    canonical: { address, localPart, domain, basis: 'generic', changes: [] },
    subaddress: null,
    hasDotsRemoved: false,
    faults: [],
  };
}
