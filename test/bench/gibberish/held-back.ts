import { readFileSync } from 'node:fs';
import type { Names } from '../../../bench/gibberish/people.ts';

/** Names that the model was not trained on, by language. */
export function heldBackNames(): ReadonlyMap<string, Names> {
  const lines = readFileSync(new URL('./held-back-names.tsv', import.meta.url), 'utf8').split('\n');
  const rows = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'));
  return new Map(
    rows.map(([language = '', , , given = '', family = '']) => {
      const [first, last] = [given, family].map((names) => names.split(' ').filter(Boolean));
      // Where there is no list of the one kind, the other stands in.
      return [
        language,
        { given: first?.length ? first : (last ?? []), family: last?.length ? last : (first ?? []) },
      ];
    }),
  );
}
