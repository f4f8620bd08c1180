import type { MeasuringData } from './measuring-data.ts';

const LOCAL_PARTS = 'generated-local-parts.tsv';

/** Generated local parts of one class, unchanged. */
export function localParts(data: MeasuringData, wanted: string): readonly string[] {
  return data
    .rows(LOCAL_PARTS)
    .filter(([, kind]) => kind === wanted)
    .map(([, , text = '']) => text);
}

/** Generated local parts by pattern, without those shaped like names. */
export function generatedByPattern(data: MeasuringData): ReadonlyMap<string, readonly string[]> {
  const rows = data.rows(LOCAL_PARTS).filter(([, kind]) => kind !== 'name');
  const patterns = Map.groupBy(rows, ([pattern = '']) => pattern);
  return new Map([...patterns].map(([pattern, made]) => [pattern, made.map(([, , text = '']) => text)]));
}

/** Given and family names from the patterns `First_Last…`, each once, in lower case. */
export function bareNames(data: MeasuringData): readonly string[] {
  const pairs = data.rows(LOCAL_PARTS).filter(([pattern = '']) => pattern.startsWith('First_Last'));
  return [...new Set(pairs.flatMap(([, , text = '']) => text.toLowerCase().replace(/\d+$/, '').split('_')))];
}
