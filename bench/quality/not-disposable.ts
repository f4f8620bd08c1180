import type { MeasuringData } from './measuring-data.ts';

/** Domains that list maintainers call not disposable, each once; alias and relay services (their grey list) are separate. */
export function notDisposable(data: MeasuringData): {
  readonly ordinary: readonly string[];
  readonly relays: readonly string[];
} {
  const rows = data.rows('not-disposable.tsv');
  const domains = (isRelay: boolean) =>
    rows.filter(([, kind]) => (kind === 'greylist') === isRelay).map(([domain = '']) => domain);
  const relays = new Set(domains(true));
  return {
    ordinary: [...new Set(domains(false))].filter((domain) => !relays.has(domain)),
    relays: [...relays],
  };
}
