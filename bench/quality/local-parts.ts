import type { MeasuringData } from './measuring-data.ts';

const LOCAL_PARTS = 'generated-local-parts.tsv';

/** Made local parts of one class, as made. */
export function localParts(data: MeasuringData, wanted: string): readonly string[] {
  return data
    .rows(LOCAL_PARTS)
    .filter(([, kind]) => kind === wanted)
    .map(([, , text = '']) => text);
}

/** The given and family names that those of the class `name` with an underscore are made of, each once, in lower case. */
export function bareNames(data: MeasuringData): readonly string[] {
  const pairs = data.rows(LOCAL_PARTS).filter(([pattern = '']) => pattern.startsWith('First_Last'));
  return [...new Set(pairs.flatMap(([, , text = '']) => text.toLowerCase().replace(/\d+$/, '').split('_')))];
}
