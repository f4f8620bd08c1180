import { createRequire } from 'node:module';
import { type Cost, type Load, measureCosts } from './cost.ts';
import { localParts } from './local-parts.ts';
import { addressOf, loneProvider } from './lone-provider.ts';
import type { MeasuringData } from './measuring-data.ts';

const require = createRequire(import.meta.url);
export const DETECTIVE = 'gibberish-detective';

/** The same number of each class, so that no class with long patterns dominates. */
const EACH = 500;

/** Costs of the providers alone, without the pipeline, and of the peer. */
export function gibberishCosts(data: MeasuringData): Promise<readonly Cost[]> {
  const inputs = ['name', 'random', 'words'].flatMap((kind) =>
    localParts(data, kind)
      .slice(0, EACH)
      .map((text) => text.toLowerCase()),
  );
  const contestants: Readonly<Record<string, Load>> = {
    'Postern, gibberish': () => provider('gibberish'),
    'Postern, entropy': () => provider('entropy'),
    [DETECTIVE]: async () => require(DETECTIVE)().assignScore,
  };
  return measureCosts(contestants, inputs);
}

async function provider(id: string): Promise<(localPart: string) => unknown> {
  const check = await loneProvider(id);
  return (localPart) => check(addressOf(localPart, 'example.com'));
}
