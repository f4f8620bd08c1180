import type { Overview } from './overview.ts';
import type { ProviderFigures } from './providers.ts';

/** Reasons that are no failure: there was nothing to ask, or the fact was known and is not stored. */
const NO_FAILURE = new Set(['not_run', 'not_stored']);

export function failuresOf({ reasons }: ProviderFigures): ProviderFigures['reasons'] {
  return reasons.filter(({ reason }) => !NO_FAILURE.has(reason));
}

export interface Shares {
  readonly checks: number;
  /** The share of checks whose answer was kept from an earlier one. Null where nothing was asked. */
  readonly kept: number | null;
  /** The share of checks in which the provider failed, at the least. Null where nothing was asked. */
  readonly failed: number | null;
}

const NOTHING = { measured: 0, p50_us: null, p95_us: null, p99_us: null };

/** Of one provider; the overview names only those that were asked. */
export function figuresOf({ providers }: Pick<Overview, 'providers'>, id: string): ProviderFigures {
  const asked = providers.find((figures) => figures.id === id);
  return asked ?? { id, timing: NOTHING, anew: NOTHING, unknown: 0, reasons: [] };
}

export function sharesOf(figures: ProviderFigures): Shares {
  const checks = figures.timing.measured;
  if (checks === 0) return { checks, kept: null, failed: null };
  // A check may have several reasons: the most frequent alone is counted, so that none counts twice.
  const failed = Math.max(0, ...failuresOf(figures).map((reason) => reason.checks));
  return { checks, kept: (checks - figures.anew.measured) / checks, failed: failed / checks };
}
