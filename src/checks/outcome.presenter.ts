import type { Assessment } from './assessor.ts';

/** What the HTTP answer and `postern check --json` say in the same words. */
export function presentOutcome({ address, decision }: Pick<Assessment, 'address' | 'decision'>) {
  return {
    summary: { action: decision.action, risk_score: decision.score, risk_level: decision.level },
    normalized: {
      raw: address.raw,
      canonical: address.canonical.address,
      local_part: address.canonical.localPart,
      domain: address.canonical.domain,
      subaddress: address.subaddress,
      has_dots_removed: address.hasDotsRemoved,
    },
  };
}
