import type { MeasuringData } from './measuring-data.ts';

const LOCAL_PARTS = 'generated-local-parts.tsv';

/** Made local parts of one class, as made. */
export function localParts(data: MeasuringData, wanted: string): readonly string[] {
  return data
    .rows(LOCAL_PARTS)
    .filter(([, kind]) => kind === wanted)
    .map(([, , text = '']) => text);
}

/** Made local parts but those shaped like names, by the pattern that they were made after. */
export function generatedByPattern(data: MeasuringData): ReadonlyMap<string, readonly string[]> {
  const rows = data.rows(LOCAL_PARTS).filter(([, kind]) => kind !== 'name');
  const patterns = Map.groupBy(rows, ([pattern = '']) => pattern);
  return new Map([...patterns].map(([pattern, made]) => [pattern, made.map(([, , text = '']) => text)]));
}

/** The given and family names that those of the class `name` with an underscore are made of, each once, in lower case. */
export function bareNames(data: MeasuringData): readonly string[] {
  const pairs = data.rows(LOCAL_PARTS).filter(([pattern = '']) => pattern.startsWith('First_Last'));
  return [...new Set(pairs.flatMap(([, , text = '']) => text.toLowerCase().replace(/\d+$/, '').split('_')))];
}
