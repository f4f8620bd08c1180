import { didYouMean } from '../../app/config/did-you-mean.ts';
import { idOf } from '../../lists/list-state.ts';
import { CannotRun } from '../cannot-run.ts';

/** The addresses of `lists.urls` that the words name, each by its address or its name; all where there are none. */
export function chooseLists(urls: readonly string[], words: readonly string[]): readonly string[] {
  if (urls.length === 0) throw new CannotRun('lists.urls is empty: there is nothing to download');
  if (words.length === 0) return urls;
  const names = [...urls.map(idOf), ...urls];
  const unknown = words.filter((word) => !names.includes(word));
  if (unknown.length > 0) {
    throw new CannotRun(
      unknown.map((word) => `"${word}" is no list of lists.urls${didYouMean(word, names)}`).join('\n'),
    );
  }
  return urls.filter((url) => words.includes(url) || words.includes(idOf(url)));
}
