import type { TimeMark } from '../../ui/charts/mark-groups.ts';
import type { Version } from '../rules/queries.ts';

/** The versions that came into force within the time, in order of time. A saved draft never did. */
export function marksOf(
  versions: readonly Pick<Version, 'version' | 'at' | 'author' | 'reason'>[],
  since: string,
  until: string,
): readonly TimeMark[] {
  return versions
    .filter(({ at, reason }) => reason !== 'draft' && at >= since && at < until)
    .toSorted((a, b) => a.version - b.version)
    .map(({ version, at, author }) => ({
      key: String(version),
      at,
      name: `Version ${version}`,
      detail: author === null ? 'author unknown' : `by ${author}`,
    }));
}

/** Where Rule history shows what the versions changed; version 1 has none before it. */
export function historyOf(first: TimeMark, last: TimeMark): string {
  const before = Math.max(1, Number(first.key) - 1);
  return last.key === '1' ? '/rules/history' : `/rules/history?before=${before}&after=${last.key}`;
}
